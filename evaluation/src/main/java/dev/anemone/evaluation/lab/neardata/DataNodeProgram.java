// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.neardata;

import dev.anemone.cluster.StorageNode;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A data node, and a proxy beside it. Says {@code started}; for each line {@code proxy CORES} it
 * starts the proxy anew and says {@code proxy} and its address. Ends with its standard input.
 */
public final class DataNodeProgram {
  static final String STARTED = "started";
  static final String PROXY = "proxy";

  private static final long MEMORY_PER_CORE = 256L << 20;
  private static final int QUEUE = 8;
  private static final int CONNECTIONS = 256;
  private static final long SPLIT_BYTES = 1L << 30;
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private DataNodeProgram() {}

  /** Arguments: a directory of its own, that of HDFS's configuration, which of the nodes it is. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    Path passing = Files.createDirectories(directory.resolve("passing"));
    try (StorageNode node =
        StorageNode.start(
            Path.of(args[1]), directory.resolve("blocks"), Integer.parseInt(args[2]))) {
      System.out.println(STARTED);
      obey(node.webAddress(), passing);
    }
  }

  private static void obey(InetSocketAddress dataNode, Path passing) throws IOException {
    BufferedReader in = LineProcess.orders();
    String order = in.readLine();
    while (order != null) {
      int cores = Integer.parseInt(order.substring(PROXY.length() + 1));
      try (NdpProxy proxy = MiniHdfs.proxy(dataNode, limits(cores), passing)) {
        InetSocketAddress address = proxy.address();
        System.out.println(PROXY + " " + address.getHostString() + ":" + address.getPort());
        order = in.readLine();
      }
    }
  }

  private static ProxyOptions.Limits limits(int cores) {
    return new ProxyOptions.Limits(
        cores, cores * MEMORY_PER_CORE, QUEUE, CONNECTIONS, SPLIT_BYTES, DEADLINE, PATIENCE);
  }
}
