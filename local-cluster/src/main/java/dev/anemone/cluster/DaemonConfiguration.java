// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * What the daemons are told: loopback addresses, free ports, directories of the cluster, and short
 * intervals, since on one machine nothing is far away and nobody wants to wait for a lost node.
 */
final class DaemonConfiguration {

  /** Requests for memory are rounded up to a multiple of this many MB. */
  static final int LEAST_CONTAINER_MB = 128;

  /** Where the NameNode and the ResourceManager listen. */
  static final String MASTER_HOST = "127.0.0.1";

  private static final String ANY_PORT = ":0";
  private static final int MOST_REPLICAS = 2;
  static final String SHUFFLE_SERVICE = "mapreduce_shuffle";

  private final LocalCluster.Settings settings;
  private final Map<String, String> common;

  /** The configuration of a cluster. */
  DaemonConfiguration(LocalCluster.Settings settings) {
    this.settings = settings;
    Map<String, String> all = new LinkedHashMap<>();
    all.putAll(forHdfs(settings));
    all.putAll(forYarn(settings));
    all.putAll(settings.hadoop());
    this.common = all;
  }

  /** For the NameNode and the ResourceManager. */
  YarnConfiguration forMasters() {
    Map<String, String> masters = new LinkedHashMap<>();
    masters.put("hadoop.tmp.dir", path("masters/tmp"));
    masters.put("fs.defaultFS", "hdfs://" + MASTER_HOST + ANY_PORT);
    masters.put("dfs.namenode.name.dir", uri("masters/namenode"));
    masters.put("dfs.namenode.http-address", MASTER_HOST + ANY_PORT);
    masters.put("dfs.namenode.safemode.extension", "0");
    masters.put("dfs.namenode.heartbeat.recheck-interval", "1000");
    masters.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    // So that files of a test can have many blocks.
    masters.put("dfs.namenode.fs-limits.min-block-size", "1024");
    // The cluster is deleted with its metadata, so nothing is gained by forcing these to disk.
    masters.put("dfs.namenode.edits.noeditlogchannelflush", "true");
    masters.put("yarn.resourcemanager.address", MASTER_HOST + ANY_PORT);
    masters.put("yarn.resourcemanager.scheduler.address", MASTER_HOST + ANY_PORT);
    masters.put("yarn.resourcemanager.resource-tracker.address", MASTER_HOST + ANY_PORT);
    masters.put("yarn.resourcemanager.admin.address", MASTER_HOST + ANY_PORT);
    // Known from the beginning: links to the page of an application are made of what stands here.
    masters.put("yarn.resourcemanager.webapp.address", MASTER_HOST + ":" + freePort());
    // Makes the ResourceManager say at which port its web pages are.
    masters.put("yarn.is.minicluster", "true");
    masters.put("yarn.scheduler.capacity.root.queues", "default");
    masters.put("yarn.scheduler.capacity.root.default.capacity", "100");
    masters.put("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9");
    masters.put(
        "yarn.scheduler.capacity.resource-calculator",
        "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator");
    masters.put("yarn.node-labels.fs-store.root-dir", uri("masters/labels"));
    masters.put("yarn.node-attribute.fs-store.root-dir", uri("masters/attributes"));
    return of(masters);
  }

  /** A port that nobody has now. */
  private static int freePort() {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return closed.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no port of " + MASTER_HOST + " is free", e);
    }
  }

  /**
   * For the DataNode and the NodeManager of a node.
   *
   * @param masters where the masters are
   * @param name of its directory
   */
  YarnConfiguration forNode(Map<String, String> masters, String name, String host) {
    Map<String, String> node = new LinkedHashMap<>(masters);
    node.putAll(forDataNode(file(name), host));
    node.put("yarn.nodemanager.address", host + ANY_PORT);
    node.put("yarn.nodemanager.localizer.address", host + ANY_PORT);
    node.put("yarn.nodemanager.local-dirs", localDirectory(name).toString());
    node.put("yarn.nodemanager.log-dirs", path(name + "/logs"));
    node.put("yarn.nodemanager.resource.memory-mb", Integer.toString(settings.memoryMb()));
    node.put("yarn.nodemanager.resource.cpu-vcores", Integer.toString(settings.cores()));
    node.put("yarn.nodemanager.pmem-check-enabled", "true");
    node.put("yarn.nodemanager.vmem-check-enabled", "false");
    // Otherwise the check is left to control groups, which there are none of.
    node.put("yarn.nodemanager.resource.memory.enforced", "false");
    node.put("yarn.nodemanager.container-monitor.interval-ms", "500");
    node.put("yarn.nodemanager.disk-health-checker.enable", "false");
    // Directories are looked at once all the same, and one on a disk that is 90 % full is not used.
    node.put(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    node.put("yarn.nodemanager.delete.debug-delay-sec", "0");
    node.put("yarn.nodemanager.aux-services", SHUFFLE_SERVICE);
    node.put(
        "yarn.nodemanager.aux-services." + SHUFFLE_SERVICE + ".class",
        LoopbackShuffleHandler.class.getName());
    node.put(LoopbackShuffleHandler.HOST, host);
    node.put("mapreduce.shuffle.port", "0");
    // Not HADOOP_CONF_DIR: it may be that of another cluster.
    node.put("yarn.nodemanager.env-whitelist", "JAVA_HOME,PATH,LANG,TZ");
    node.put("yarn.nodemanager.admin-env", "MALLOC_ARENA_MAX=2,JAVA_HOME=" + javaHome());
    return of(node);
  }

  /**
   * For a DataNode.
   *
   * @param directory of the node
   */
  static Map<String, String> forDataNode(Path directory, String host) {
    Map<String, String> node = new LinkedHashMap<>();
    node.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
    node.put("dfs.datanode.data.dir", directory.resolve("blocks").toUri().toString());
    node.put("dfs.datanode.hostname", host);
    // The NameNode tells clients the address that a DataNode calls from, which is this one.
    node.put("dfs.datanode.address", MASTER_HOST + ANY_PORT);
    node.put("dfs.datanode.ipc.address", MASTER_HOST + ANY_PORT);
    // WebHDFS is where the NameNode sends its clients, by a DataNode's name.
    node.put("dfs.datanode.http.address", host + ANY_PORT);
    node.put("dfs.heartbeat.interval", "1");
    // Without it a DataNode runs "du" again and again.
    node.put("fs.getspaceused.classname", "org.apache.hadoop.fs.DFCachingGetSpaceUsed");
    return node;
  }

  /** What clients need to know. */
  Map<String, String> forClients(Map<String, String> masters) {
    Map<String, String> clients = new LinkedHashMap<>(masters);
    clients.putAll(common);
    return clients;
  }

  private static Map<String, String> forHdfs(LocalCluster.Settings settings) {
    Map<String, String> hdfs = new LinkedHashMap<>();
    hdfs.put(
        "dfs.replication",
        Integer.toString(Math.max(1, Math.min(MOST_REPLICAS, settings.nodes()))));
    hdfs.put("dfs.permissions.enabled", "true");
    return hdfs;
  }

  private static Map<String, String> forYarn(LocalCluster.Settings settings) {
    Map<String, String> yarn = new LinkedHashMap<>();
    yarn.put("yarn.scheduler.minimum-allocation-mb", Integer.toString(LEAST_CONTAINER_MB));
    yarn.put("yarn.scheduler.maximum-allocation-mb", Integer.toString(settings.memoryMb()));
    yarn.put("yarn.scheduler.maximum-allocation-vcores", Integer.toString(settings.cores()));
    yarn.put("yarn.resourcemanager.am.max-attempts", "3");
    // It has so long to start, too; that it has ended is known at once, or with its node.
    yarn.put("yarn.am.liveness-monitor.expiry-interval-ms", "120000");
    yarn.put("yarn.nm.liveness-monitor.expiry-interval-ms", "10000");
    yarn.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "100");
    yarn.put("yarn.log-aggregation-enable", "true");
    yarn.put("yarn.nodemanager.remote-app-log-dir", "/tmp/logs");
    return yarn;
  }

  private YarnConfiguration of(Map<String, String> special) {
    YarnConfiguration configuration = new YarnConfiguration();
    special.forEach(configuration::set);
    common.forEach(configuration::set);
    return configuration;
  }

  /** Where containers of a node have their files. */
  Path localDirectory(String name) {
    return file(name + "/local");
  }

  private String path(String name) {
    return file(name).toString();
  }

  private String uri(String name) {
    return file(name).toUri().toString();
  }

  private Path file(String name) {
    return settings.directory().resolve(name);
  }

  private static String javaHome() {
    return System.getProperty("java.home");
  }
}
