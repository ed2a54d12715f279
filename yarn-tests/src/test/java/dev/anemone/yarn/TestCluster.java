// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.cluster.LocalCluster;
import dev.anemone.examples.wordcount.CorpusGenerator;
import dev.anemone.runtime.tez.directory.HadoopJobDirectory;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A cluster of three nodes with a text whose words are known, and what tests do with it. The tests
 * of one JVM share it, one class after the other: to start it, and to send it the jars of the first
 * job, takes longer than most tests. It ends with the JVM, or before a cluster that wants Kerberos.
 */
public final class TestCluster {
  static final int NODES = 3;
  private static final int EXECUTOR_MB = 640;

  /**
   * Containers live for seconds, in which optimized code does not pay, and which go for a tenth
   * into verifying the classes that were verified in the JVMs of other tests.
   */
  private static final String CONTAINER_ENVIRONMENT =
      "MALLOC_ARENA_MAX=2,JAVA_TOOL_OPTIONS=-XX:TieredStopAtLevel=1"
          + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote,JAVA_HOME="
          + System.getProperty("java.home");

  static final int FILES = 6;
  private static final long FILE_BYTES = 40_000;
  private static final int DISTINCT_WORDS = 2_000;

  private static final Duration NODES_LIMIT = Duration.ofSeconds(60);
  private static final Duration QUIET_LIMIT = Duration.ofMinutes(2);

  private static TestCluster running;

  private final Path directory;
  private final LocalCluster cluster;
  private final FileSystem files;
  private final FaultDirectory faults;
  private final List<String> trueCounts;

  private TestCluster(Path root) throws IOException {
    this.cluster =
        LocalCluster.start(
            new LocalCluster.Settings(
                NODES,
                root,
                LocalCluster.Settings.DEFAULT_MEMORY_MB,
                LocalCluster.Settings.DEFAULT_CORES,
                Map.of("yarn.nodemanager.admin-env", CONTAINER_ENVIRONMENT)));
    this.directory = Files.createDirectory(root.resolve("tests"));
    this.faults = new FaultDirectory(Files.createDirectory(directory.resolve("faults")));
    this.files = newFileSystem();
    this.trueCounts = writeText("input", FILES);
  }

  /** The cluster of this JVM, started if it is not there, on which nothing runs. */
  static synchronized TestCluster shared() throws IOException, InterruptedException, YarnException {
    if (running == null) {
      running = new TestCluster(Files.createTempDirectory("anemone-yarn"));
    }
    running.faults.disarm();
    running.endApplications();
    return running;
  }

  /** The cluster of this JVM as it is. */
  static synchronized TestCluster running() {
    return Objects.requireNonNull(running, "there is no cluster");
  }

  /** Applications wait for further jobs of their program, which is this JVM. */
  private void endApplications() throws IOException, InterruptedException, YarnException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(configuration());
      yarn.start();
      for (ApplicationReport application :
          yarn.getApplications(EnumSet.of(YarnApplicationState.RUNNING))) {
        yarn.killApplication(application.getApplicationId());
      }
    }
    Waiting.until(
        () -> cluster.containers().isEmpty(),
        QUIET_LIMIT,
        () -> "there are containers: " + cluster.containers());
    // Whoever is killed leaves them.
    files.delete(staging(), true);
  }

  /** Ends the cluster of this JVM, if there is one. */
  public static synchronized void stopShared() throws IOException {
    if (running != null) {
      TestCluster ended = running;
      running = null;
      try (FileSystem closedFirst = ended.files) {
        ended.cluster.close();
      }
    }
  }

  private Configuration configuration() {
    return withCluster(new Configuration(false));
  }

  /** A client of the cluster's files of its own; the caller closes it. */
  FileSystem newFileSystem() throws IOException {
    return FileSystem.newInstance(configuration());
  }

  /** A directory of the cluster's file system for the processes of a job. */
  HadoopJobDirectory jobDirectory(org.apache.hadoop.fs.Path path) throws IOException {
    return HadoopJobDirectory.of(
        files.makeQualified(path).toUri(), withCluster(new Configuration()));
  }

  private Configuration withCluster(Configuration configuration) {
    for (String name : List.of("core-site.xml", "hdfs-site.xml", "yarn-site.xml")) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(name).toUri()));
    }
    return configuration;
  }

  /**
   * Writes the same text into each of several files, so that there are as many tasks that read it.
   *
   * @return what a correct result has, in the order of the lines
   */
  List<String> writeText(String folder, int copies) throws IOException {
    Path text = directory.resolve("text");
    Path counts = directory.resolve("counts");
    new CorpusGenerator(FILE_BYTES, DISTINCT_WORDS, 42).write(text, counts);
    for (int i = 0; i < copies; i++) {
      files.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(text.toUri()),
          new org.apache.hadoop.fs.Path("/" + folder + "/text-" + i));
    }
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(counts)) {
      int colon = line.indexOf(": ");
      lines.add(
          line.substring(0, colon) + ": " + copies * Long.parseLong(line.substring(colon + 2)));
    }
    return lines.stream().sorted().toList();
  }

  LocalCluster cluster() {
    return cluster;
  }

  /** The application master of the job that runs. */
  Optional<ProcessHandle> master() {
    return cluster.containers().stream()
        .filter(each -> each.info().commandLine().orElse("").contains("DAGAppMaster"))
        .findFirst();
  }

  /** What the cluster knows of the only application that runs, once those before have ended. */
  ApplicationReport application() throws Exception {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(configuration());
      yarn.start();
      AtomicReference<List<ApplicationReport>> running = new AtomicReference<>(List.of());
      Waiting.until(
          () -> {
            running.set(yarn.getApplications(EnumSet.of(YarnApplicationState.RUNNING)));
            return running.get().size() == 1;
          },
          QUIET_LIMIT,
          () -> "not one application, but " + running.get());
      return running.get().get(0);
    }
  }

  /** What the cluster knows of an application. */
  ApplicationReport report(ApplicationId application) throws IOException, YarnException {
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(configuration());
      yarn.start();
      return yarn.getApplicationReport(application);
    }
  }

  /** The node of {@link #master}, by where it logs to. */
  int nodeOfMaster() {
    String command = master().orElseThrow().info().commandLine().orElseThrow();
    return IntStream.range(0, NODES)
        .filter(node -> command.contains(directory(node) + "/"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no node has the master " + command));
  }

  /** Starts the nodes that a test has stopped. */
  void startNodes() throws IOException {
    for (int node = 0; node < NODES; node++) {
      if (cluster.addresses().get(node).isEmpty()) {
        cluster.startNode(node);
      }
    }
    cluster.awaitNodes(NODES_LIMIT);
  }

  FaultDirectory faults() {
    return faults;
  }

  /** The pattern of the text's files. */
  String input() {
    return files.getUri() + "/input/text-*";
  }

  /** The address of a path in the cluster's file system. */
  String path(String path) {
    return files.getUri() + path;
  }

  /** Copies a directory into the cluster's file system. */
  void copyIn(Path local, String path) throws IOException {
    files.copyFromLocalFile(
        new org.apache.hadoop.fs.Path(local.toUri()), new org.apache.hadoop.fs.Path(path));
  }

  /** Copies the files of a directory of the cluster's file system into one of this machine. */
  void copyOut(String path, Path local) throws IOException {
    for (FileStatus file : files.listStatus(new org.apache.hadoop.fs.Path(path))) {
      files.copyToLocalFile(file.getPath(), new org.apache.hadoop.fs.Path(local.toUri()));
    }
  }

  /** The prefix of a job's result. */
  String output(String job) {
    return files.getUri() + "/output/" + job + "/counts";
  }

  /** What a correct result has, in the order of the lines. */
  List<String> trueCounts() {
    return trueCounts;
  }

  /** How many tasks of a stage of the job that runs have reported. */
  int reports(String stage) throws IOException {
    Set<org.apache.hadoop.fs.Path> directories = new HashSet<>();
    RemoteIterator<LocatedFileStatus> all =
        files.listFiles(new org.apache.hadoop.fs.Path("/"), true);
    while (all.hasNext()) {
      org.apache.hadoop.fs.Path file = all.next().getPath();
      if (file.getName().startsWith("report-")) {
        directories.add(file.getParent());
      }
    }
    int reports = 0;
    for (org.apache.hadoop.fs.Path directory : directories) {
      JobFiles job = new JobFiles(jobDirectory(directory));
      reports +=
          (int)
              job.reports(Function.identity()).read().keySet().stream()
                  .filter(task -> task.stage().equals(stage))
                  .count();
    }
    return reports;
  }

  /**
   * Takes the result of a job away.
   *
   * @return its lines, in their order
   */
  List<String> takeResult(String job) throws IOException {
    List<String> lines = new ArrayList<>();
    org.apache.hadoop.fs.Path output = new org.apache.hadoop.fs.Path("/output/" + job);
    for (FileStatus file : files.listStatus(output)) {
      if (file.isFile()) {
        try (BufferedReader in =
            new BufferedReader(
                new InputStreamReader(files.open(file.getPath()), StandardCharsets.UTF_8))) {
          in.lines().forEach(lines::add);
        }
      }
    }
    files.delete(output, true);
    return lines.stream().sorted().toList();
  }

  /** Options of a job that runs on the cluster, in three executors. */
  NemoPipelineOptions options(String job, String policy) {
    return PipelineOptionsFactory.fromArgs(arguments(job, policy).toArray(String[]::new))
        .as(NemoPipelineOptions.class);
  }

  /** The same, where each node has one of the executors, as there is no room for a second one. */
  NemoPipelineOptions optionsOnEachNode(String job, String policy) {
    NemoPipelineOptions options = options(job, policy);
    options.setExecutorMemoryMb(LocalCluster.Settings.DEFAULT_MEMORY_MB / 2 + 1);
    return options;
  }

  /**
   * The same as arguments of a program.
   *
   * @param settings of Hadoop, as {@code name=value}
   */
  List<String> arguments(String job, String policy, String... settings) {
    List<String> all = new ArrayList<>(List.of(settings));
    // One node may be lost, and each copy of the jars takes seconds.
    all.add("mapreduce.client.submit.file.replication=2");
    all.add("tez.task.launch.env=" + FaultDirectory.VARIABLE + "=" + faults.directory());
    // The cluster ends before this JVM, which says so to it when it ends.
    all.add("yarn.resourcemanager.connect.max-wait.ms=2000");
    all.add("yarn.resourcemanager.connect.retry-interval.ms=500");
    return List.of(
        "--runner=NemoRunner",
        "--jobName=" + job,
        "--optimizationPolicy=" + policy,
        "--progress=off",
        // Something happens to jobs while they run.
        "--blockOnRun=false",
        "--deployMode=yarn",
        "--hadoopConfDir=" + cluster.configurationDirectory(),
        "--executors=" + NODES,
        "--executorMemoryMb=" + EXECUTOR_MB,
        "--masterMemoryMb=" + EXECUTOR_MB,
        "--parallelism=" + NODES,
        // Little data, and yet several tasks.
        "--passOptions=minBytesPerTask=10000,targetBytesPerTask=40000",
        "--tempDirectory=" + directory,
        "--clusterSettings=" + String.join(",", all));
  }

  /** The directories of applications that have not ended. */
  List<String> staged() throws IOException {
    return Arrays.stream(files.listStatus(staging()))
        .map(each -> each.getPath().getName())
        .toList();
  }

  private org.apache.hadoop.fs.Path staging() {
    return new org.apache.hadoop.fs.Path(files.getHomeDirectory(), ".anemone/staging/.tez");
  }

  /** Where a node keeps the blocks of jobs. */
  Path localDirectory(int node) {
    return directory(node).resolve("local");
  }

  /** Whether a container has logged a text. */
  boolean hasLogged(String text) throws IOException {
    for (int node = 0; node < NODES; node++) {
      try (Stream<Path> logs = Files.walk(directory(node).resolve("logs"))) {
        for (Path log : logs.filter(Files::isRegularFile).toList()) {
          try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            if (lines.anyMatch(line -> line.contains(text))) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

  /**
   * Keeps what tells why a job does not end, in the module's {@code target/evidence}: the stacks of
   * the programs in containers, and what these have logged.
   */
  void keepEvidence(String job) throws IOException {
    Path evidence = Files.createDirectories(Path.of("target", "evidence", job));
    for (ProcessHandle program : cluster.containers()) {
      Process stacks =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jstack").toString(),
                  Long.toString(program.pid()))
              .redirectErrorStream(true)
              .redirectOutput(evidence.resolve(program.pid() + ".txt").toFile())
              .start();
      stacks.onExit().orTimeout(10, TimeUnit.SECONDS).exceptionally(late -> stacks).join();
      stacks.destroyForcibly();
    }
    for (int node = 0; node < NODES; node++) {
      Path logs = directory(node).resolve("logs");
      if (Files.exists(logs)) {
        FileUtils.copyDirectory(logs.toFile(), evidence.resolve("node" + node).toFile());
      }
    }
  }

  private Path directory(int node) {
    return directory.resolveSibling("node" + node);
  }
}
