// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * A node that stores and does not compute: a DataNode in this JVM that joins a {@link LocalCluster}
 * in another one. Its JVM has processors and memory of its own, so that these can be limited.
 * Methods may be called by any thread.
 */
public final class StorageNode implements AutoCloseable {
  private final DataNode dataNode;
  private final String host;

  private StorageNode(DataNode dataNode, String host) {
    this.dataNode = dataNode;
    this.host = host;
  }

  /**
   * Starts a node. It joins in the background, see {@link LocalCluster#awaitDataNodes}.
   *
   * @param cluster the cluster's {@linkplain LocalCluster#configurationDirectory configuration}
   * @param directory where the node keeps its blocks, which the caller deletes
   * @param index gives the node a host name that no node with another index has
   * @throws IOException the node does not start
   */
  public static StorageNode start(Path cluster, Path directory, int index) throws IOException {
    Configuration configuration = new HdfsConfiguration();
    for (String name : List.of("core-site.xml", "hdfs-site.xml")) {
      configuration.addResource(new org.apache.hadoop.fs.Path(cluster.resolve(name).toUri()));
    }
    String host = LoopbackHosts.ofNode(index);
    DaemonConfiguration.forDataNode(directory, host).forEach(configuration::set);
    return new StorageNode(DataNode.createDataNode(new String[0], configuration), host);
  }

  /** Where the node serves WebHDFS. */
  public InetSocketAddress webAddress() {
    return new InetSocketAddress(host, dataNode.getInfoPort());
  }

  /** Ends the node at once. */
  @Override
  public void close() {
    dataNode.shutdown();
  }
}
