// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.ContainerManagerImpl;

/** A DataNode and a NodeManager that share a host name. */
final class Node {
  private final DataNode dataNode;
  private final NodeManager nodeManager;
  private final ContainerProcesses containers;
  private final NodeAddress address;

  private Node(DataNode dataNode, NodeManager nodeManager, NodeAddress address) {
    this.dataNode = dataNode;
    this.address = address;
    this.nodeManager = nodeManager;
    this.containers = new ContainerProcesses(nodeManager.getNMContext());
  }

  /**
   * Starts a node.
   *
   * @param name says which node it is
   */
  static Node start(YarnConfiguration configuration, String name) throws IOException {
    ShutdownSteps started = new ShutdownSteps(LocalCluster.STEP_DEADLINE);
    try {
      DataNode dataNode = DataNode.createDataNode(new String[0], configuration);
      started.add("the DataNode of " + name, dataNode::shutdown);
      NodeManager nodeManager = new NodeManager();
      started.add("the NodeManager of " + name, nodeManager::stop);
      nodeManager.init(configuration);
      // In one JVM its pages would take the place of the ResourceManager's.
      nodeManager.disableWebServer();
      nodeManager.start();
      return new Node(dataNode, nodeManager, addressOf(nodeManager));
    } catch (IOException | RuntimeException | Error e) {
      started.closeAfter(e);
      throw e;
    }
  }

  /** Where it is. */
  NodeAddress address() {
    return address;
  }

  /** The programs that run in its containers. */
  List<ProcessHandle> containers() {
    return containers.programs();
  }

  /** The program that runs in a container. */
  Optional<ProcessHandle> container(String id) {
    return containers.program(id);
  }

  /** Says nothing to the ResourceManager any more, not even that it ends. */
  void fallSilent() {
    // What a supervised NodeManager does when it is updated: the others are to hear nothing of it.
    nodeManager.getConfig().setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, true);
    nodeManager.getConfig().setBoolean(YarnConfiguration.NM_RECOVERY_SUPERVISED, true);
    nodeManager.getNodeStatusUpdater().stop();
  }

  /** Ends at once, with all containers. */
  void stop() {
    stopContainers();
    dataNode.shutdown();
  }

  /** Ends the NodeManager and all containers; when the JVM ends, a DataNode ends only with it. */
  void stopContainers() {
    fallSilent();
    containers.killAll();
    nodeManager.stop();
    // Those that were just being started.
    containers.killAll();
  }

  private static NodeAddress addressOf(NodeManager nodeManager) throws IOException {
    Context context = nodeManager.getNMContext();
    ByteBuffer port =
        ((ContainerManagerImpl) context.getContainerManager())
            .getAuxServiceMetaData()
            .get(DaemonConfiguration.SHUFFLE_SERVICE);
    return new NodeAddress(
        context.getNodeId().getHost(),
        context.getNodeId().getPort(),
        ShuffleHandler.deserializeMetaData(port));
  }
}
