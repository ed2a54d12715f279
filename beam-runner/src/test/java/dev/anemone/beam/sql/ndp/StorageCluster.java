// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.hdfs.HadoopTls;
import dev.anemone.cluster.LocalCluster;
import dev.anemone.cluster.TlsFiles;
import dev.anemone.ndp.protocol.SharedSecret;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.ndp.proxy.ProxyTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/** A real HDFS, with tables on it, and proxies beside its data nodes. */
final class StorageCluster implements AutoCloseable {

  private static final int NODES = 2;
  private static final int BLOCK_BYTES = 2 << 20;

  private final Path directory;
  private final LocalCluster cluster;
  private final FileSystem files;
  private final List<InetSocketAddress> dataNodes;
  private final ProxyTls tls;
  private int proxies;

  StorageCluster(Path directory) throws IOException, InterruptedException {
    this(directory, LocalCluster.start(settings(directory)), false);
  }

  /** One whose data nodes speak HTTPS only. */
  static StorageCluster ofHttps(Path directory) throws IOException, InterruptedException {
    TlsFiles tls = TlsFiles.create(directory.resolve("tls"));
    return new StorageCluster(directory, tls.start(settings(directory)), true);
  }

  private static LocalCluster.Settings settings(Path directory) {
    return new LocalCluster.Settings(
        NODES,
        directory.resolve("cluster"),
        LocalCluster.Settings.DEFAULT_MEMORY_MB,
        LocalCluster.Settings.DEFAULT_CORES,
        Map.of("dfs.replication", "1", "dfs.blocksize", String.valueOf(BLOCK_BYTES)));
  }

  private StorageCluster(Path directory, LocalCluster cluster, boolean https) throws IOException {
    this.directory = directory;
    this.cluster = cluster;
    this.tls = https ? tls(cluster.configurationDirectory()) : ProxyTls.NONE;
    Configuration configuration = new Configuration(false);
    for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(name).toUri()));
    }
    this.files = FileSystem.newInstance(configuration);
    this.dataNodes = dataNodes((DistributedFileSystem) files, https);
  }

  private static ProxyTls tls(Path configuration) throws IOException {
    return new ProxyTls(
        Optional.of(HadoopTls.server(configuration)), Optional.of(HadoopTls.client(configuration)));
  }

  private static List<InetSocketAddress> dataNodes(DistributedFileSystem files, boolean https)
      throws IOException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (DatanodeInfo node : files.getDataNodeStats()) {
      addresses.add(
          https
              ? new InetSocketAddress(node.getIpAddr(), node.getInfoSecurePort())
              : new InetSocketAddress(node.getHostName(), node.getInfoPort()));
    }
    return addresses;
  }

  /** Where WebHDFS of each data node is. */
  List<InetSocketAddress> dataNodes() {
    return dataNodes;
  }

  /** The option that names the cluster. */
  String option() {
    return "--hadoopConfDir=" + cluster.configurationDirectory();
  }

  /** Copies a local directory and names the copy. */
  String put(Path local) throws IOException {
    org.apache.hadoop.fs.Path target =
        new org.apache.hadoop.fs.Path("/tables/" + local.getFileName());
    files.copyFromLocalFile(new org.apache.hadoop.fs.Path(local.toUri()), target);
    return files.getUri() + target.toString();
  }

  /** The names of what is in a directory. */
  List<String> names(String uri) throws IOException {
    return Stream.of(files.listStatus(new org.apache.hadoop.fs.Path(uri)))
        .map(status -> status.getPath().getName())
        .toList();
  }

  /** Bytes of all files in a directory. */
  long bytes(String uri) throws IOException {
    return files.getContentSummary(new org.apache.hadoop.fs.Path(uri)).getLength();
  }

  /** A proxy for each data node, with two cores. */
  List<NdpProxy> proxies() throws IOException {
    List<NdpProxy> started = new ArrayList<>();
    for (InetSocketAddress node : dataNodes) {
      started.add(proxy(node, 2, 64, Optional.empty()));
    }
    return started;
  }

  /** A proxy for a data node. */
  NdpProxy proxy(InetSocketAddress node, int cores, int queue, Optional<SharedSecret> secret)
      throws IOException {
    return NdpProxy.start(
        new ProxyOptions(
            node,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new ProxyOptions.Limits(
                cores,
                (long) cores * (128 << 20),
                queue,
                64,
                64L << 20,
                Duration.ofSeconds(60),
                Duration.ofSeconds(20)),
            Files.createDirectories(directory.resolve("proxy-" + proxies++)),
            secret,
            tls));
  }

  /** The option that names proxies, or what stands before them. */
  static String proxiesOption(List<InetSocketAddress> addresses) {
    List<String> texts = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      texts.add("127.0.0.1:" + address.getPort());
    }
    return "--ndpProxies=" + String.join(",", texts);
  }

  @Override
  public void close() throws IOException {
    try (files) {
      cluster.close();
    }
  }
}
