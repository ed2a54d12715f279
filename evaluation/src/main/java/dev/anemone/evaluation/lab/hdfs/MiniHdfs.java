// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.hdfs;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.ndp.proxy.NdpProxy;
import dev.anemone.ndp.proxy.ProxyOptions;
import dev.anemone.ndp.proxy.ProxyTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** An HDFS in this JVM, without replicas, and its nodes' WebHDFS. Used by one thread. */
public record MiniHdfs(LocalCluster cluster, FileSystem files, List<InetSocketAddress> dataNodes)
    implements AutoCloseable {

  /** Starts one in a directory that is not there yet, with blocks of a multiple of 1 MiB. */
  public static MiniHdfs start(
      Path directory, int nodes, long blockBytes, Map<String, String> settings) throws IOException {
    Map<String, String> hadoop = new HashMap<>(settings);
    hadoop.put("dfs.replication", "1");
    hadoop.put("dfs.blocksize", Long.toString(blockBytes));
    LocalCluster cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                nodes,
                directory,
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                hadoop));
    try {
      FileSystem files = client(cluster);
      return new MiniHdfs(cluster, files, dataNodes(files));
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** The files of a cluster; the caller closes them. */
  public static FileSystem client(LocalCluster cluster) throws IOException {
    Configuration configuration = new Configuration(false);
    for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(name).toUri()));
    }
    return FileSystem.newInstance(configuration);
  }

  public static void copy(Path from, FileSystem files, String to) throws IOException {
    files.copyFromLocalFile(
        new org.apache.hadoop.fs.Path(from.toUri()), new org.apache.hadoop.fs.Path(to));
  }

  /** Starts a proxy beside a data node, at a free port; its passing files have a directory. */
  public static NdpProxy proxy(InetSocketAddress dataNode, ProxyOptions.Limits limits, Path work)
      throws IOException {
    InetSocketAddress any = new InetSocketAddress(dataNode.getHostString(), 0);
    return NdpProxy.start(
        new ProxyOptions(dataNode, any, limits, work, Optional.empty(), ProxyTls.NONE));
  }

  public Path configurationDirectory() {
    return cluster.configurationDirectory();
  }

  @Override
  public void close() throws IOException {
    try {
      files.close();
    } finally {
      cluster.close();
    }
  }

  /** Where the data nodes of a cluster serve WebHDFS, as the name node says. */
  private static List<InetSocketAddress> dataNodes(FileSystem files) throws IOException {
    return Stream.of(((DistributedFileSystem) files).getDataNodeStats())
        .map(node -> new InetSocketAddress(node.getHostName(), node.getInfoPort()))
        .toList();
  }
}
