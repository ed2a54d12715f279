// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/** The NameNode and the ResourceManager. */
final class Masters {
  private static final List<String> RESOURCE_MANAGER_ADDRESSES =
      List.of(
          "yarn.resourcemanager.address",
          "yarn.resourcemanager.scheduler.address",
          "yarn.resourcemanager.resource-tracker.address",
          "yarn.resourcemanager.admin.address",
          "yarn.resourcemanager.webapp.address");
  private static final FsPermission FOR_EVERYBODY = new FsPermission((short) 01777);

  private final NameNode nameNode;
  private final ResourceManager resourceManager;
  private final Configuration configuration;

  private Masters(NameNode nameNode, ResourceManager resourceManager, Configuration configuration) {
    this.nameNode = nameNode;
    this.resourceManager = resourceManager;
    this.configuration = configuration;
  }

  /**
   * Starts them, on an empty file system.
   *
   * @param shutdown is given what must be closed, also when a later one fails
   */
  static Masters start(YarnConfiguration configuration, ShutdownSteps shutdown) throws IOException {
    NameNode.format(configuration);
    NameNode nameNode = NameNode.createNameNode(new String[0], configuration);
    shutdown.add(
        "the NameNode",
        () -> {
          nameNode.stop();
          nameNode.join();
        });
    FileSystem.setDefaultUri(
        configuration, "hdfs://" + NetUtils.getHostPortString(nameNode.getNameNodeAddress()));
    // There is none where all is HTTPS.
    if (nameNode.getHttpAddress() != null) {
      configuration.set(
          "dfs.namenode.http-address", NetUtils.getHostPortString(nameNode.getHttpAddress()));
    }
    // What a container may have is kept by the class, from whatever was configured first.
    ResourceUtils.resetResourceTypes(configuration);
    ResourceManager resourceManager = new ResourceManager();
    shutdown.add("the ResourceManager", resourceManager::stop);
    resourceManager.init(configuration);
    resourceManager.start();
    return new Masters(nameNode, resourceManager, configuration);
  }

  /** Where the masters are, as settings of Hadoop. */
  Map<String, String> addresses() {
    Map<String, String> addresses = new LinkedHashMap<>();
    for (String key : List.of("fs.defaultFS", "dfs.namenode.http-address")) {
      addresses.put(key, configuration.get(key));
    }
    for (String key : RESOURCE_MANAGER_ADDRESSES) {
      addresses.put(key, resourceManager.getConfig().get(key));
    }
    return addresses;
  }

  /** Waits until nodes serve, both as DataNode and as NodeManager. */
  void awaitNodes(int number, Duration limit) {
    Waiting.until(
        () -> liveDataNodes() >= number && liveNodeManagers() >= number,
        limit,
        () ->
            liveDataNodes()
                + " DataNodes and "
                + liveNodeManagers()
                + " NodeManagers serve, but there should be "
                + number);
  }

  /** Waits until nodes serve as DataNode, whatever else they do. */
  void awaitDataNodes(int number, Duration limit) {
    Waiting.until(
        () -> liveDataNodes() >= number,
        limit,
        () -> liveDataNodes() + " DataNodes serve, but there should be " + number);
  }

  /** The web page of the ResourceManager. */
  URI applicationsPage() {
    return page("yarn.resourcemanager.webapp.address");
  }

  /** The web page of the NameNode. */
  URI filesPage() {
    return page("dfs.namenode.http-address");
  }

  private URI page(String key) {
    return URI.create("http://" + addresses().get(key));
  }

  private int liveDataNodes() {
    return nameNode.getNamesystem().getNumLiveDataNodes();
  }

  private int liveNodeManagers() {
    return Math.toIntExact(
        resourceManager.getRMContext().getRMNodes().values().stream()
            .filter(node -> node.getState() == NodeState.RUNNING)
            .count());
  }

  /** Makes the directories that every installation has. */
  void makeDirectories() throws IOException {
    Path home = new Path("/user/" + UserGroupInformation.getCurrentUser().getShortUserName());
    try (FileSystem files = FileSystem.newInstance(configuration)) {
      files.mkdirs(home);
      Path temporary = new Path("/tmp");
      files.mkdirs(temporary);
      files.setPermission(temporary, FOR_EVERYBODY);
    }
  }
}
