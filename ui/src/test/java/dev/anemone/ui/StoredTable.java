// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.ndp.proxy.ProxyTls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** A table of orders on a real HDFS, with a proxy beside each of its data nodes. */
final class StoredTable implements AutoCloseable {

  private static final int NODES = 2;
  private static final int BLOCK_BYTES = 2 << 20;
  private static final String[] COUNTRIES = {"AT", "BR", "CH", "DE", "FR", "KR", "US"};

  private final LocalCluster cluster;
  private final FileSystem files;
  private final List<NdpProxy> proxies = new ArrayList<>();
  private final String location;

  /**
   * Writes a table.
   *
   * @param directory for all files
   * @param rows of some 60 bytes
   */
  StoredTable(Path directory, int rows) throws IOException {
    Files.createDirectories(directory);
    cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                NODES,
                directory.resolve("cluster"),
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                Map.of("dfs.replication", "1", "dfs.blocksize", String.valueOf(BLOCK_BYTES))));
    Configuration configuration = new Configuration(false);
    for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(name).toUri()));
    }
    files = FileSystem.newInstance(configuration);
    for (DatanodeInfo node : ((DistributedFileSystem) files).getDataNodeStats()) {
      proxies.add(proxy(node, Files.createDirectory(directory.resolve("proxy" + proxies.size()))));
    }
    location = write(rows);
  }

  private static NdpProxy proxy(DatanodeInfo node, Path directory) throws IOException {
    return NdpProxy.start(
        new ProxyOptions(
            new InetSocketAddress(node.getHostName(), node.getInfoPort()),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ProxyOptions.Limits(
                1, 256L << 20, 16, 16, 64L << 20, Duration.ofSeconds(60), Duration.ofSeconds(20)),
            directory,
            Optional.empty(),
            ProxyTls.NONE));
  }

  private String write(int rows) throws IOException {
    var path = new org.apache.hadoop.fs.Path("/tables/orders/orders.csv");
    try (OutputStream out = files.create(path)) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < rows; i++) {
        lines
            .append(i)
            .append('|')
            .append(COUNTRIES[i * 31 % COUNTRIES.length])
            .append('|')
            .append(i % 50)
            .append("|order number ")
            .append(i)
            .append(", which nobody reads\n");
        if (lines.length() > 1 << 16 || i == rows - 1) {
          out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
          lines.setLength(0);
        }
      }
    }
    return files.getUri() + path.getParent().toString();
  }

  /** The statement that declares the table as {@code orders}. */
  String ddl() {
    return "CREATE EXTERNAL TABLE orders (id BIGINT, country VARCHAR, quantity BIGINT, note VARCHAR)"
        + " TYPE ndp LOCATION '"
        + location
        + "' TBLPROPERTIES '{\"format\": \"csv\", \"delimiter\": \"|\"}'";
  }

  /** The options with which a job reads it. */
  List<String> options() {
    return List.of(
        "--hadoopConfDir=" + cluster.configurationDirectory(),
        "--ndpProxies="
            + proxies.stream()
                .map(proxy -> "127.0.0.1:" + proxy.address().getPort())
                .collect(Collectors.joining(",")));
  }

  @Override
  public void close() throws IOException {
    proxies.forEach(NdpProxy::close);
    try (files) {
      cluster.close();
    }
  }
}
