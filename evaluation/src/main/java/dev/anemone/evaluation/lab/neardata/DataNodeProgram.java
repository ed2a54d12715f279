// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.neardata;

import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.process.LineProcess;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;

/**
 * The storage side: HDFS with the tables on it, and a proxy beside each data node. Says {@code
 * ready}, the configuration's directory and the tables' address; for each line {@code proxies
 * CORES} it starts the proxies anew and says {@code proxies} and their addresses. Ends with its
 * standard input.
 */
public final class StorageProgram {
  static final String READY = "ready";
  static final String PROXIES = "proxies";

  private static final String TABLES = "/tpch";
  private static final long MEMORY_PER_CORE = 256L << 20;
  private static final int QUEUE = 8;
  private static final int CONNECTIONS = 256;
  private static final long SPLIT_BYTES = 1L << 30;
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Path directory;
  private final List<InetSocketAddress> dataNodes;
  private final List<NdpProxy> proxies = new ArrayList<>();

  private StorageProgram(Path directory, List<InetSocketAddress> dataNodes) {
    this.directory = directory;
    this.dataNodes = dataNodes;
  }

  /** Arguments: a directory of its own, data nodes, bytes of a block, the tables' directory. */
  public static void main(String[] args) throws IOException {
    Path directory = Path.of(args[0]);
    try (MiniHdfs hdfs =
        MiniHdfs.start(
            directory.resolve("cluster"),
            Integer.parseInt(args[1]),
            Long.parseLong(args[2]),
            Map.of())) {
      copy(Path.of(args[3]), hdfs.files());
      System.out.println(
          READY + " " + hdfs.configurationDirectory() + " " + hdfs.files().getUri() + TABLES);
      new StorageProgram(directory, hdfs.dataNodes()).obey();
    }
  }

  private static void copy(Path tables, FileSystem files) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(tables)) {
      for (Path file : all) {
        MiniHdfs.copy(file, files, TABLES + "/" + file.getFileName());
      }
    }
  }

  private void obey() throws IOException {

    try {
      BufferedReader in = LineProcess.orders();
      for (String order = in.readLine(); order != null; order = in.readLine()) {
        if (order.startsWith(PROXIES + " ")) {
          restart(Integer.parseInt(order.substring(PROXIES.length() + 1)));
          System.out.println(PROXIES + " " + addresses());
        }
      }
    } finally {
      close();
    }
  }

  private void restart(int cores) throws IOException {
    close();
    Path work = Files.createDirectories(directory.resolve("work"));
    ProxyOptions.Limits limits =
        new ProxyOptions.Limits(
            cores, cores * MEMORY_PER_CORE, QUEUE, CONNECTIONS, SPLIT_BYTES, DEADLINE, PATIENCE);
    for (InetSocketAddress dataNode : dataNodes) {
      proxies.add(MiniHdfs.proxy(dataNode, limits, work));
    }
  }

  private void close() {
    proxies.forEach(NdpProxy::close);
    proxies.clear();
  }

  private String addresses() {
    return String.join(
        ",",
        proxies.stream()
            .map(NdpProxy::address)
            .map(address -> address.getHostString() + ":" + address.getPort())
            .toList());
  }
}
