// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.cluster;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.cluster.NodeAddress;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.cluster.ExecutorOptions.Executors;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.peer.PySpark;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * HDFS and YARN on this machine for NemoRunner and Spark, one after the other, with containers of
 * one size. A node has room for an executor and an application master. Used by one thread.
 */
public record SharedCluster(LocalCluster cluster, FileSystem files, ExecutorOptions options)
    implements AutoCloseable {
  private static final Duration END_LIMIT = Duration.ofSeconds(60);
  private static final Duration NODE_LIMIT = Duration.ofSeconds(60);
  private static final Duration DU_LIMIT = Duration.ofSeconds(30);
  private static final long POLL_MILLIS = 100;

  /** Main classes of application masters: Tez's, and that of Spark in client mode. */
  private static final List<String> MASTERS = List.of("DAGAppMaster", "ExecutorLauncher");

  private static final String LOOPBACK = "127.0.0.1";

  /**
   * Starts one, which is deleted when it is closed.
   *
   * @param directory new or empty; it has the blocks of files and of shuffles
   * @param hadoop settings of Hadoop, for daemons and clients
   */
  public static SharedCluster start(
      Path directory, ExecutorOptions options, Map<String, String> hadoop) throws IOException {
    Executors executors = options.executors();
    LocalCluster cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                executors.count(),
                directory,
                executors.memoryMb() + ExecutorOptions.MASTER_MB,
                executors.cores() + 1,
                hadoop));
    try {
      return new SharedCluster(cluster, MiniHdfs.client(cluster), options);
    } catch (IOException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** Fails before anything is begun if a disk has not as many bytes. */
  public static void requireRoom(Path directory, long bytes, String what) throws IOException {
    long free = Files.getFileStore(directory).getUsableSpace();
    if (free < bytes) {
      throw new ExperimentFailure(
          "%s takes up to %,d MB in %s, which has %,d MB. Make room, or give less data.",
          what, bytes / 1_000_000, directory, free / 1_000_000);
    }
  }

  /** The address of a file in HDFS, whose path begins with a slash. */
  public String address(String path) {
    return files.getUri() + path;
  }

  public void delete(String path) throws IOException {
    files.delete(new org.apache.hadoop.fs.Path(path), true);
  }

  /** The options of NemoRunner that make it run here. */
  public List<String> nemoOptions() {
    Executors executors = options.executors();
    return List.of(
        "--runner=NemoRunner",
        "--progress=off",
        "--deployMode=yarn",
        "--hadoopConfDir=" + cluster.configurationDirectory(),
        "--masterMemoryMb=" + ExecutorOptions.MASTER_MB,
        "--executors=" + executors.count(),
        "--executorMemoryMb=" + executors.memoryMb(),
        "--taskCores=" + executors.cores());
  }

  /**
   * The settings of Spark that make it run here, in client mode.
   *
   * @param spark whose jars every node has
   * @param driverMemory the heap of the program itself, as -Xmx takes it
   * @param temporary for what the program itself writes to this machine's disk
   */
  public Map<String, String> sparkSettings(PySpark spark, String driverMemory, Path temporary) {
    Executors executors = options.executors();
    Map<String, String> settings = new TreeMap<>();
    settings.put("spark.master", "yarn");
    settings.put("spark.submit.deployMode", "client");
    settings.put("spark.executor.instances", Integer.toString(executors.count()));
    settings.put("spark.executor.cores", Integer.toString(executors.cores()));
    settings.put("spark.executor.memory", options.sparkHeapMb() + "m");
    settings.put("spark.executor.memoryOverhead", options.sparkOverheadMb() + "m");
    settings.put("spark.driver.memory", driverMemory);
    settings.put("spark.driver.host", LOOPBACK);
    settings.put("spark.driver.bindAddress", LOOPBACK);
    settings.put("spark.yarn.jars", "local:" + spark.jars() + "/*");
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.ui.showConsoleProgress", "false");
    settings.put("spark.local.dir", temporary.toString());
    for (String option : options.sparkOptions()) {
      int equals = option.indexOf('=');
      settings.put(option.substring(0, equals), option.substring(equals + 1));
    }
    return settings;
  }

  /** The beginning of a command whose program finds this cluster. */
  public List<String> environment() {
    return List.of("env", "HADOOP_CONF_DIR=" + cluster.configurationDirectory());
  }

  /** The beginning of a command that runs a program of Spark. */
  public List<String> sparkCommand() {
    return Arguments.of(
        environment(),
        "JAVA_HOME=" + System.getProperty("java.home"),
        "SPARK_LOCAL_IP=" + LOOPBACK);
  }

  /**
   * Lets a node be lost that has containers, but no application master: its NodeManager, its
   * DataNode and its containers end.
   *
   * @return the one that was lost, if there was such a node
   */
  Optional<NodeLoss.LostNode> loseNode(NodeLoss.Choice choice)
      throws IOException, InterruptedException {
    Optional<NodeLoss.LostNode> chosen = Optional.empty();
    for (int node = 0; node < cluster.nodes(); node++) {
      List<ProcessHandle> containers = cluster.containers(node);
      if (!containers.isEmpty() && containers.stream().noneMatch(SharedCluster::isMaster)) {
        long bytes = bytesOnDisk(cluster.localDirectory(node));
        if (chosen.isEmpty()
            || (choice == NodeLoss.Choice.fullest && bytes > chosen.get().bytes())) {
          chosen = Optional.of(new NodeLoss.LostNode(node, bytes));
        }
      }
    }
    chosen.ifPresent(lost -> cluster.stopNode(lost.index()));
    return chosen;
  }

  /** Without the holes of files; whatever is deleted meanwhile counts or not. */
  private static long bytesOnDisk(Path directory) throws IOException, InterruptedException {
    List<String> command = List.of("sh", "-c", "du -s -k . 2>/dev/null | cut -f1");
    return 1_024 * Long.parseLong(SystemCommand.run(directory, DU_LIMIT, command).strip());
  }

  private static boolean isMaster(ProcessHandle container) {
    String command = container.info().commandLine().orElse("");
    return MASTERS.stream().anyMatch(command::contains);
  }

  /** Starts nodes that were lost, and waits until all serve. */
  public void repair() throws IOException {
    List<Optional<NodeAddress>> nodes = cluster.addresses();
    for (int node = 0; node < nodes.size(); node++) {
      if (nodes.get(node).isEmpty()) {
        cluster.startNode(node);
      }
    }
    cluster.awaitNodes(NODE_LIMIT);
  }

  /**
   * Ends the applications whose programs have ended, and waits until no container is left, so that
   * the next side has the machine for itself.
   */
  public void endApplications() throws IOException, InterruptedException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(new YarnConfiguration(configuration()));
      yarn.start();
      for (ApplicationReport left : yarn.getApplications(running())) {
        yarn.killApplication(left.getApplicationId());
      }
    } catch (YarnException e) {
      throw new IOException("YARN does not end the applications that still run", e);
    }
    long end = System.nanoTime() + END_LIMIT.toNanos();
    while (!cluster.containers().isEmpty()) {
      if (System.nanoTime() - end > 0) {
        throw new ExperimentFailure(
            "Containers still run %d s after their applications: %s",
            END_LIMIT.toSeconds(), cluster.containers());
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  private static EnumSet<YarnApplicationState> running() {
    return EnumSet.complementOf(
        EnumSet.of(
            YarnApplicationState.FINISHED,
            YarnApplicationState.FAILED,
            YarnApplicationState.KILLED));
  }

  private Configuration configuration() {
    Configuration configuration = new Configuration();
    for (String name : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(name).toUri()));
    }
    return configuration;
  }

  @Override
  public void close() throws IOException {
    try (files) {
      cluster.close();
    }
  }
}
