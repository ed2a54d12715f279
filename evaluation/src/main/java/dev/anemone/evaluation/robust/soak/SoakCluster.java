// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.cluster.NodeAddress;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.data.TrueCounts;
import dev.anemone.evaluation.lab.hdfs.MiniHdfs;
import dev.anemone.evaluation.lab.process.SystemCommand;
import dev.anemone.examples.wordcount.CorpusGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;

/**
 * A cluster with a text that is counted, which can be damaged and repaired.
 *
 * @param disk of the last node, if it has one of its own
 * @param clocks of the nodes, if they can be wrong
 */
record SoakCluster(
    LocalCluster cluster,
    FileSystem files,
    TrueCounts trueCounts,
    Optional<NodeDisk> disk,
    Optional<NodeClocks> clocks)
    implements AutoCloseable {
  /** Containers live for seconds, in which optimized code does not pay. */
  private static final String CONTAINER_ENVIRONMENT =
      "MALLOC_ARENA_MAX=2,JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1,JAVA_HOME="
          + System.getProperty("java.home");

  private static final int FILES = 6;
  private static final long FILE_BYTES = 50_000;
  private static final int DISTINCT_WORDS = 3_000;
  private static final String COUNTS = "counts";
  private static final String MASTER = "DAGAppMaster";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration SIGNAL_LIMIT = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(20);
  private static final Duration JUMP = Duration.ofHours(1);

  /**
   * Starts one, which is deleted when it is closed.
   *
   * @param faults that can happen to it; for some there have to be {@link
   *     dev.anemone.evaluation.lab.network.Namespaces}, and for some a library
   */
  static SoakCluster start(Path directory, int nodes, long seed, Set<SoakFault> faults)
      throws IOException, InterruptedException {
    boolean clocksJump = faults.contains(SoakFault.CLOCK_JUMP);
    Path clockFiles = directory.resolve("clocks");
    String environment =
        CONTAINER_ENVIRONMENT + (clocksJump ? "," + NodeClocks.environment(clockFiles) : "");
    LocalCluster cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                nodes,
                directory,
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                Map.of("yarn.nodemanager.admin-env", environment)));
    try {
      Optional<NodeDisk> disk =
          faults.stream().anyMatch(SoakFault::ofTheMachine)
              ? Optional.of(giveDisk(cluster, directory))
              : Optional.empty();
      Optional<NodeClocks> clocks =
          clocksJump ? Optional.of(NodeClocks.of(clockFiles, hosts(cluster))) : Optional.empty();
      FileSystem files = MiniHdfs.client(cluster);
      return new SoakCluster(cluster, files, writeInput(files, directory, seed), disk, clocks);
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private static List<String> hosts(LocalCluster cluster) {
    return cluster.addresses().stream().map(node -> node.orElseThrow().host()).toList();
  }

  private static NodeDisk giveDisk(LocalCluster cluster, Path directory)
      throws IOException, InterruptedException {
    int node = cluster.nodes() - 1;
    cluster.stopNode(node);
    NodeDisk disk =
        NodeDisk.mount(
            directory.resolve("disk"), directory.resolve("node" + node).resolve("local"));
    try {
      cluster.startNode(node);
      cluster.awaitNodes(START_LIMIT);
      return disk;
    } catch (IOException | RuntimeException e) {
      cluster.stopNode(node);
      disk.close();
      throw e;
    }
  }

  /** The same text in each of several files, so that there are as many tasks that read it. */
  private static TrueCounts writeInput(FileSystem files, Path directory, long seed)
      throws IOException {
    Path text = directory.resolve("text");
    Path counts = directory.resolve("counts");
    new CorpusGenerator(FILE_BYTES, DISTINCT_WORDS, seed).write(text, counts);
    for (int i = 0; i < FILES; i++) {
      MiniHdfs.copy(text, files, "/input/text-" + i);
    }
    return TrueCounts.read(counts).times(FILES);
  }

  Path configurationDirectory() {
    return cluster.configurationDirectory();
  }

  String input() {
    return files.getUri() + "/input/text-*";
  }

  String output(String job) {
    return files.getUri() + "/output/" + job + "/" + COUNTS;
  }

  /** Compares and deletes the result of a job, with a copy; returns what is wrong, if anything. */
  String check(String job, Path directory) throws IOException {
    org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path("/output/" + job);
    Path copy = directory.resolve("output");
    files.copyToLocalFile(true, output, new org.apache.hadoop.fs.Path(copy.toUri()));
    return trueCounts.differences(copy, COUNTS);
  }

  /** Damages the cluster, but for faults of user code; returns whether it could. */
  boolean damage(SoakFault fault, SplittableRandom random)
      throws IOException, InterruptedException {
    return switch (fault) {
      case KILLED_CONTAINER -> kill(1, random, containers(false));
      case KILLED_MASTER -> kill(1, random, containers(true));
      case HALF_OF_CONTAINERS -> {
        List<ProcessHandle> containers = cluster.containers();
        yield kill((containers.size() + 1) / 2, random, containers);
      }
      case PAUSED_CONTAINER -> pause(random, containers(false));
      case LOST_NODE -> {
        cluster.stopNode(random.nextInt(cluster.nodes()));
        yield true;
      }
      case DROPPED_PACKETS -> {
        NodeAddress node = cluster.addresses().get(random.nextInt(cluster.nodes())).orElseThrow();
        try (LossyNetwork lossy = LossyNetwork.dropping(node.host())) {
          TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
        }
        yield true;
      }
      case FULL_DISK -> {
        disk.orElseThrow().fill();
        yield true;
      }
      case SLOW_DISK -> {
        disk.orElseThrow().stall(PAUSE);
        yield true;
      }
      case CLOCK_JUMP -> {
        String host = hosts(cluster).get(random.nextInt(cluster.nodes()));
        clocks.orElseThrow().jump(host, random.nextBoolean() ? JUMP : JUMP.negated());
        yield true;
      }
      case NONE, FAILING_CODE, SLOW_TASK -> true;
    };
  }

  private List<ProcessHandle> containers(boolean masters) {
    return cluster.containers().stream()
        .filter(each -> each.info().commandLine().orElse("").contains(MASTER) == masters)
        .toList();
  }

  private static boolean kill(int count, SplittableRandom random, List<ProcessHandle> containers) {
    List<ProcessHandle> left = new ArrayList<>(containers);
    boolean killed = false;
    for (int i = 0; i < count && !left.isEmpty(); i++) {
      killed |= left.remove(random.nextInt(left.size())).destroyForcibly();
    }
    return killed;
  }

  private static boolean pause(SplittableRandom random, List<ProcessHandle> containers)
      throws IOException, InterruptedException {
    if (containers.isEmpty()) {
      return false;
    }
    ProcessHandle paused = containers.get(random.nextInt(containers.size()));
    if (!signal(paused, "STOP")) {
      return false;
    }
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    } finally {
      signal(paused, "CONT");
    }
    return true;
  }

  /** Sends a signal; false where the process has ended. */
  private static boolean signal(ProcessHandle process, String signal)
      throws IOException, InterruptedException {
    try {
      SystemCommand.run(
          Path.of("."), SIGNAL_LIMIT, List.of("kill", "-" + signal, "" + process.pid()));
      return true;
    } catch (ExperimentFailure e) {
      if (process.isAlive()) {
        throw e;
      }
      return false;
    }
  }

  /**
   * Starts the nodes that were lost, gives room to a full disk, sets clocks right, and waits until
   * all serve.
   */
  void repair() throws IOException {
    if (disk.isPresent()) {
      disk.get().empty();
    }
    for (int node :
        IntStream.range(0, cluster.nodes())
            .filter(index -> cluster.addresses().get(index).isEmpty())
            .toArray()) {
      cluster.startNode(node);
    }
    cluster.awaitNodes(START_LIMIT);
    if (clocks.isPresent()) {
      for (String host : hosts(cluster)) {
        clocks.get().mend(host);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (files) {
      if (disk.isPresent()) {
        // Its files are deleted with the others, but a directory that is mounted cannot be.
        cluster.stopNode(cluster.nodes() - 1);
        disk.get().close();
      }
    } finally {
      cluster.close();
    }
  }
}
