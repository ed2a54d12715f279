// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * HDFS and YARN on this machine: a NameNode, a ResourceManager, and for each node a DataNode and a
 * NodeManager with the {@code mapreduce_shuffle} service, all in this JVM, at free ports of
 * loopback addresses. Containers are processes of their own.
 *
 * <p>The JVM needs the {@code --add-opens} of the parent pom's {@code jdk.opens}. Methods may be
 * called by any thread. A cluster that is not closed ends with the JVM.
 */
public final class LocalCluster implements AutoCloseable {

  /** How long a daemon may take to start or to end. */
  static final Duration STEP_DEADLINE = Duration.ofSeconds(60);

  /** Says what it is about to do; held, since a logger that nobody holds forgets its level. */
  private static final Logger REST_LIBRARY = Logger.getLogger("com.sun.jersey");

  private final Masters masters;
  private final Nodes nodes;
  private final Path configurationDirectory;
  private final ShutdownSteps shutdown;
  private final Thread atExit;

  /**
   * What to start.
   *
   * @param nodes number of nodes in this JVM; none where {@link StorageNode}s will join
   * @param directory where everything is kept; must be empty or not exist, and is deleted in the
   *     end; its path has only characters that need no quoting
   * @param memoryMb memory in MB that containers may use on a node
   * @param cores virtual cores that containers may use on a node
   * @param hadoop settings of Hadoop for all daemons and for clients, which come before the
   *     cluster's own
   */
  public record Settings(
      int nodes, Path directory, int memoryMb, int cores, Map<String, String> hadoop) {

    /** Memory in MB that a node has unless said otherwise. */
    public static final int DEFAULT_MEMORY_MB = 4096;

    /** Virtual cores that a node has unless said otherwise. */
    public static final int DEFAULT_CORES = 8;

    /** Not so much as a space: Hadoop takes paths for addresses and lists, and writes scripts. */
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9_./@+=~-]+");

    public Settings {
      directory = directory.toAbsolutePath().normalize();
      hadoop = Map.copyOf(hadoop);
      if (!HARMLESS.matcher(directory.toString()).matches()) {
        throw new IllegalArgumentException(
            "Hadoop cannot have its files in "
                + directory
                + "; name a directory whose path has only letters, digits and _./@+=~-");
      }
      if (nodes < 0 || nodes > LoopbackHosts.MOST) {
        throw new IllegalArgumentException(
            "a local cluster has 0 to " + LoopbackHosts.MOST + " nodes, not " + nodes);
      }
      if (memoryMb < DaemonConfiguration.LEAST_CONTAINER_MB) {
        throw new IllegalArgumentException(
            "a node needs at least "
                + DaemonConfiguration.LEAST_CONTAINER_MB
                + " MB, not "
                + memoryMb);
      }
      if (cores < 1) {
        throw new IllegalArgumentException("a node needs at least one core, not " + cores);
      }
    }

    /** A number of nodes with the default memory and cores. */
    public static Settings of(int nodes, Path directory) {
      return new Settings(nodes, directory, DEFAULT_MEMORY_MB, DEFAULT_CORES, Map.of());
    }
  }

  private LocalCluster(
      Settings settings,
      Masters masters,
      Nodes nodes,
      Path configurationDirectory,
      ShutdownSteps shutdown) {
    this.masters = masters;
    this.nodes = nodes;
    this.configurationDirectory = configurationDirectory;
    this.shutdown = shutdown;
    // Hadoop's file service refuses to be closed while the JVM ends.
    ShutdownSteps rest = new ShutdownSteps(STEP_DEADLINE);
    rest.add("using " + settings.directory(), () -> Directories.delete(settings.directory()));
    rest.add("the containers", nodes::stopContainers);
    this.atExit = new Thread(rest::closeAll, "local-cluster-exit");
  }

  /**
   * Starts a cluster and waits until all nodes serve.
   *
   * @throws IllegalArgumentException the directory is not empty
   * @throws IOException a daemon does not start; nothing is left then
   * @throws IllegalStateException the nodes do not serve in time; nothing is left then
   */
  public static LocalCluster start(Settings settings) throws IOException {
    // Several daemons of one kind in one JVM would clash in the names of their metrics.
    DefaultMetricsSystem.setMiniClusterMode(true);
    REST_LIBRARY.setLevel(Level.WARNING);
    Directories.claim(settings.directory());
    ShutdownSteps shutdown = new ShutdownSteps(STEP_DEADLINE);
    shutdown.add("using " + settings.directory(), () -> Directories.delete(settings.directory()));
    try {
      DaemonConfiguration configuration = new DaemonConfiguration(settings);
      Masters masters = Masters.start(configuration.forMasters(), shutdown);
      Map<String, String> addresses = masters.addresses();
      Nodes nodes = new Nodes(configuration, addresses, settings.nodes());
      shutdown.add("the nodes", nodes::stopAll);
      nodes.startAll();
      masters.awaitNodes(settings.nodes(), STEP_DEADLINE);
      masters.makeDirectories();
      Path directory =
          ConfigurationDirectory.write(
              settings.directory().resolve("conf"), configuration.forClients(addresses));
      LocalCluster cluster = new LocalCluster(settings, masters, nodes, directory, shutdown);
      Runtime.getRuntime().addShutdownHook(cluster.atExit);
      return cluster;
    } catch (IOException | RuntimeException | Error e) {
      shutdown.closeAfter(e);
      throw e;
    }
  }

  /** Where {@code core-site.xml} and the other files are, for {@code HADOOP_CONF_DIR}. */
  public Path configurationDirectory() {
    return configurationDirectory;
  }

  /** The number of nodes, with those that are stopped. */
  public int nodes() {
    return nodes.count();
  }

  /**
   * Where the nodes are, by index.
   *
   * @return empty for nodes that are stopped
   */
  public List<Optional<NodeAddress>> addresses() {
    return nodes.addresses();
  }

  /** The web page of the ResourceManager. */
  public URI applicationsPage() {
    return masters.applicationsPage();
  }

  /** The web page of the NameNode. */
  public URI filesPage() {
    return masters.filesPage();
  }

  /**
   * Lets a node be lost, as when its machine fails: its containers are killed, its shuffle service,
   * its NodeManager and its DataNode end, and nobody is told. Others find out when they call it,
   * the ResourceManager when it has heard nothing for {@code
   * yarn.nm.liveness-monitor.expiry-interval-ms}. Does nothing when the node is stopped already.
   */
  public void stopNode(int index) {
    nodes.stop(index);
  }

  /**
   * Starts a node that was stopped, with its blocks, at another port. It serves when it is in
   * {@link #awaitNodes}.
   *
   * @throws IllegalStateException the node is not stopped
   */
  public void startNode(int index) throws IOException {
    nodes.start(index);
  }

  /**
   * Waits until as many nodes serve as are not stopped. YARN counts a node that was lost until it
   * has noticed.
   *
   * @throws IllegalStateException they do not in that time
   */
  public void awaitNodes(Duration limit) {
    masters.awaitNodes((int) addresses().stream().filter(Optional::isPresent).count(), limit);
  }

  /**
   * Waits until as many DataNodes serve, those of this JVM and {@link StorageNode}s that join.
   *
   * @throws IllegalStateException they do not in that time
   */
  public void awaitDataNodes(int number, Duration limit) {
    masters.awaitDataNodes(number, limit);
  }

  /** The programs that run in containers, without the shells that started them. */
  public List<ProcessHandle> containers() {
    return nodes.containers();
  }

  /** The programs that run in containers of a node. */
  public List<ProcessHandle> containers(int index) {
    return nodes.containers(index);
  }

  /** Where the containers of a node have their files, and what they leave for others to fetch. */
  public Path localDirectory(int index) {
    return nodes.localDirectory(index);
  }

  /**
   * The program that runs in a container.
   *
   * @param id the container's, as {@code container_1767225600000_0001_01_000002}
   */
  public Optional<ProcessHandle> container(String id) {
    return nodes.container(id);
  }

  /**
   * Ends all daemons and containers and deletes the directory. Does nothing the second time.
   *
   * @throws IllegalStateException something did not end in time; the rest is closed
   */
  @Override
  public void close() {
    shutdown.closeAll();
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The JVM is ending.
    }
  }
}
