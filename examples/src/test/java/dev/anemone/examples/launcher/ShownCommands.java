// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.cluster.LocalCluster;
import dev.anemone.examples.launcher.Document.Block;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.DynamicTest;

/**
 * Runs the commands that the documents show, by the launcher, with the launcher's class path and
 * little data. A command that {@link KnownCommand} does not know fails. Closing it ends the cluster
 * that was started for commands that are shown without one of their own.
 */
final class ShownCommands implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofMinutes(8);
  private static final String EXECUTORS =
      """
      [
        {"type": "Transient", "memory_mb": 640, "capacity": 1},
        {"type": "Reserved", "memory_mb": 640, "capacity": 1}
      ]
      """;

  private final Path directory;
  private final Path scratch;
  private final Path data = Path.of("target", "tpch", "scale-0.01").toAbsolutePath();
  private LocalCluster cluster;

  /**
   * Makes the files that the commands name.
   *
   * @param directory in which the commands are run
   * @param scratch in place of {@code /tmp}
   */
  ShownCommands(Path directory, Path scratch) throws IOException {
    this.directory = directory;
    this.scratch = scratch;
    Path launcher = Files.createDirectory(directory.resolve("bin")).resolve("anemone");
    Files.writeString(launcher, launcherScript());
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Files.copy(Launcher.project().resolve("README.md"), directory.resolve("README.md"));
    Files.writeString(directory.resolve("corpus.txt"), "to be or not to be\n".repeat(2_000));
    Files.writeString(directory.resolve("in.txt"), "1\n2\n3\n");
    Files.writeString(directory.resolve("executors.json"), EXECUTORS);
    Path programs = directory.resolve("programs");
    Path classes = Path.of("target", "test-classes", "com");
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = programs.resolve("com").resolve(classes.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
    UserProgram.jar(programs, directory.resolve("my-pipeline.jar"));
    UserProgram.jar(programs, directory.resolve("sums.jar"));
  }

  /**
   * A build puts a class path beside the jar of each module; the tests name that of this module,
   * which is wrong for the cluster's commands.
   */
  private static String launcherScript() {
    Path project = Launcher.project();
    return String.join(
        "\n",
        "#!/usr/bin/env bash",
        "case ${1:-} in cluster | fs | yarn)",
        "  export ANEMONE_CLASSPATH_FILE="
            + project
            + "/local-cluster/target/launcher.classpath ;;",
        "esac",
        "exec " + Launcher.script() + " \"$@\"",
        "");
  }

  @Override
  public void close() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A test for each block of commands of those documents that show some for a cluster, or none. */
  Stream<DynamicTest> tests(boolean onCluster) throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Document document : Document.all(Launcher.project())) {
      if (document.blocks().stream().anyMatch(ShownCommands::isOnCluster) == onCluster) {
        for (Block block : document.blocks()) {
          tests.add(DynamicTest.dynamicTest(block.toString(), () -> run(document, block)));
        }
      }
    }
    assertThat(tests).isNotEmpty();
    return tests.stream();
  }

  private static boolean isOnCluster(Block block) {
    String text = String.join("\n", block.commands());
    return needsCluster(text) || text.contains("cluster start");
  }

  private void run(Document document, Block block) throws Exception {
    for (String command : block.commands()) {
      assertThat(KnownCommand.of(command))
          .as("%s shows '%s'. Say in KnownCommand how it is run.", block, command)
          .isPresent();
    }
    writeFiles(document);
    Map<String, String> environment = new HashMap<>();
    environment.put("ANEMONE_CLUSTER_DIR", scratch.resolve("cluster").toString());
    environment.put("XDG_CACHE_HOME", scratch.resolve("cache").toString());
    String text = String.join("\n", block.commands());
    if (needsCluster(text)) {
      environment.put("HADOOP_CONF_DIR", cluster().configurationDirectory().toString());
    }
    Launcher launcher = new Launcher(directory, environment, DEADLINE);
    Map<String, String> replacements = replacements(text);
    StringBuilder script = new StringBuilder("trap 'jobs -p | xargs -r kill || true' EXIT\n");
    if (text.contains("APPLICATION_ID")) {
      script.append(
          "bin/anemone wordcount --input=$PWD/README.md --output="
              + scratch
              + "/detached --deployMode=yarn --detached --deadlineMinutes=5 2> detached\n"
              + "id=$(grep -o 'application_[0-9_]*' detached | head -1)\n");
    }
    List<String> said = new ArrayList<>();
    for (String command : block.commands()) {
      KnownCommand known = KnownCommand.of(command).orElseThrow();
      String small = small(command, replacements);
      switch (known.kind()) {
        case JOB -> {
          script.append(small).append('\n');
          said.add(known.says());
        }
        case SERVER -> script.append(started(small, known.says()));
        case COMPILATION -> compile(command);
        case BUILD -> {}
      }
    }

    Launcher.Run run = launcher.bash(script.toString()).succeeds();

    for (String part : said) {
      assertThat(run.out() + run.err()).as(script.toString()).contains(part);
    }
  }

  private static boolean needsCluster(String commands) {
    return !commands.contains("cluster start")
        && Stream.of("hdfs:", "yarn", "attach", "ndp-proxy").anyMatch(commands::contains);
  }

  /** Starts a server, and goes on when it serves. */
  private static String started(String command, String serves) {
    return String.join(
        "\n",
        command.replaceFirst("\\s*&$", "") + " > server 2>&1 &",
        "server=$!",
        "until grep -q '" + serves + "' server; do",
        "  kill -0 $server || { cat server; exit 1; }",
        "  sleep 0.1",
        "done",
        "");
  }

  /** What stands in the documents for what a reader has, and less data than a reader has. */
  private Map<String, String> replacements(String commands) throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("=/tmp/", "=" + scratch + "/");
    all.put(" /tmp/", " " + scratch + "/");
    all.put("file:/nvme", "file:" + Files.createDirectories(scratch.resolve("nvme")));
    all.put("pmem:/mnt/pmem", "pmem:" + Files.createDirectories(scratch.resolve("pmem")));
    all.put("--input=...", "--input=README.md");
    all.put("\"in.txt out\"", "\"" + directory.resolve("in.txt") + " " + scratch + "/sums\"");
    all.put("APPLICATION_ID", "$id");
    all.put("--scale=0.1", "--scale=0.01");
    all.put("tpcds --query=all", "tpcds --query=3,42");
    all.put("--records=1000000", "--records=10000");
    all.put("--generate=10000,100000", "--generate=100,1000");
    all.put("--bytes=200m", "--bytes=200k");
    all.put("--words=200000", "--words=2000");
    all.put("--capacity=2g", "--capacity=64m");
    all.put("--capacity=8g", "--capacity=64m");
    all.put("--capacity=100g", "--capacity=64m");
    all.put("127.0.0.1:7070", freeAddress());
    all.put("127.0.0.1:7071", freeAddress());
    all.put(
        "/etc/anemone/ndp-token",
        Files.writeString(scratch.resolve("ndp-token"), "a secret of this test\n").toString());
    if (commands.contains("node1")) {
      all.put("node1:9864", dataNode());
      all.put("node1:9964", freeAddress());
      all.put("node2:9964", freeAddress());
    }
    return all;
  }

  private static String small(String command, Map<String, String> replacements) {
    String small = command;
    for (Map.Entry<String, String> each : replacements.entrySet()) {
      small = small.replace(each.getKey(), each.getValue());
    }
    return small;
  }

  private static String freeAddress() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  /** A cluster for the commands that are shown without one of their own, with TPC-H in HDFS. */
  private LocalCluster cluster() throws Exception {
    if (cluster == null) {
      cluster = LocalCluster.start(LocalCluster.Settings.of(2, scratch.resolve("shared-cluster")));
      Launcher launcher =
          new Launcher(
              directory,
              Map.of("HADOOP_CONF_DIR", cluster.configurationDirectory().toString()),
              DEADLINE);
      launcher.bash("bin/anemone tpch --query=6 --scale=0.01 --data=" + data).succeeds();
      launcher
          .bash("bin/anemone fs -mkdir -p /tpch; bin/anemone fs -put " + data + "/*.tbl /tpch")
          .succeeds();
    }
    return cluster;
  }

  private String dataNode() throws IOException {
    Configuration configuration = new Configuration(false);
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      configuration.addResource(
          new org.apache.hadoop.fs.Path(cluster.configurationDirectory().resolve(file).toUri()));
    }
    try (DistributedFileSystem files = new DistributedFileSystem()) {
      files.initialize(org.apache.hadoop.fs.FileSystem.getDefaultUri(configuration), configuration);
      DatanodeInfo node = files.getDataNodeStats()[0];
      return node.getHostName() + ":" + node.getInfoPort();
    }
  }

  /** The files of a user's program, of which a document tells. */
  private void writeFiles(Document document) throws IOException {
    for (Map.Entry<String, String> file : document.files().entrySet()) {
      Path path = directory.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
  }

  /** What {@code mvn package -f NAME/pom.xml} makes: {@code NAME/target/NAME-VERSION.jar}. */
  private void compile(String command) throws IOException {
    Path pom = directory.resolve(command.substring(command.lastIndexOf(' ') + 1));
    Path project = pom.getParent();
    Path classes = project.resolve("target/classes");
    UserProgram.compile(project.resolve("src/main/java"), classes);
    Path resources = project.resolve("src/main/resources");
    try (Stream<Path> files = Files.walk(resources)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = classes.resolve(resources.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
      }
    }
    UserProgram.jar(classes, project.resolve("target/" + project.getFileName() + "-1.0.jar"));
  }
}
