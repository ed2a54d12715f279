// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/anemone cluster}, {@code fs} and {@code yarn} as a user runs them. */
class ClusterCommandIT {
  private static final long DEADLINE_SECONDS = 240;
  private static final Path LAUNCHER =
      Path.of("").toAbsolutePath().getParent().resolve("bin/anemone");
  private static final String EXPORT = "export HADOOP_CONF_DIR=";

  @TempDir private Path directory;
  private Path home;
  private String configuration = "";

  private record Run(int code, String out, String err) {
    Run succeeds() {
      assertThat(code).as(err).isZero();
      return this;
    }

    void failsWith(int expected, String... parts) {
      assertThat(code).as(err).isEqualTo(expected);
      assertThat(out).isEmpty();
      assertThat(err).contains(parts).doesNotContain("\tat dev.anemone.cluster.ClusterCommand");
    }
  }

  @BeforeEach
  void name() {
    home = directory.resolve("home");
  }

  /** Whatever a test has left: it must not outlive the test. */
  @AfterEach
  void stop() throws Exception {
    anemone("cluster", "stop").succeeds();
  }

  @Test
  void aClusterIsStartedUsedAndStopped() throws Exception {
    Path text = Files.writeString(directory.resolve("text"), "to be or not to be\n");
    Path data = directory.resolve("own");

    Run start =
        anemone("cluster", "start", "--nodes=2", "--memoryMb=512", "--directory=" + data)
            .succeeds();

    ClusterRecord cluster = new ClusterHome(home).read().orElseThrow();
    assertThat(start.out()).isEqualTo(EXPORT + data + "/conf\n");
    assertThat(start.err()).contains("2 of 2 serve, each with 512 MB and 8 cores");
    assertThat(anemone("cluster", "status").succeeds())
        .extracting(Run::out, Run::err)
        .containsExactly(start.out(), start.err());
    anemone("cluster", "start").failsWith(1, "there is a cluster already");
    // What web servers unpack goes with the cluster, too.
    assertThat(new ClusterHome(home).temporary()).isDirectoryContaining("glob:**/jetty-*");

    configuration = data + "/conf";
    anemone("fs", "-mkdir", "-p", "/tmp/words").succeeds();
    anemone("fs", "-put", text.toString(), "/tmp/words/").succeeds();
    assertThat(anemone("fs", "-cat", "/tmp/words/text").succeeds().out())
        .isEqualTo("to be or not to be\n");
    assertThat(anemone("fs", "-cat", "/tmp/words/none").code()).isEqualTo(1);
    assertThat(anemone("yarn", "node", "-list").succeeds().out()).contains("Total Nodes:2");
    try (RawApplication application =
        new RawApplication(Path.of(configuration), 128, 1, "echo said 1><LOG_DIR>/stdout")) {
      application.awaitFailure();
      Waiting.until(
          () -> log(application).contains("said"),
          Duration.ofSeconds(30),
          () -> "the log is not there: " + log(application));
    }

    anemone("cluster", "stop").succeeds();

    assertThat(cluster.process()).isEmpty();
    assertThat(home).doesNotExist();
    assertThat(data).doesNotExist();
    anemone("cluster", "status").failsWith(1, "there is no cluster");
  }

  @Test
  void whatAKilledClusterLeavesIsCleanedUp() throws Exception {
    anemone("cluster", "start", "--nodes=1", "--memoryMb=512").succeeds();
    ClusterHome written = new ClusterHome(home);
    ClusterRecord cluster = written.read().orElseThrow();
    // Not closed: there is nobody who would answer.
    RawApplication application =
        new RawApplication(written.data().resolve("conf"), 128, 1, "sleep 1000");
    Leftovers containers = new Leftovers(cluster.directory());
    Waiting.until(
        () -> containers.find().stream().anyMatch(ClusterCommandIT::sleeps),
        Duration.ofSeconds(60),
        () -> application.id() + " does not run");

    ProcessHandle daemon = cluster.process().orElseThrow();
    daemon.destroyForcibly();
    Waiting.until(() -> !Liveness.runs(daemon), Duration.ofSeconds(30), () -> "it lives");

    anemone("cluster", "status").failsWith(1, "has died", "cluster stop");
    assertThat(containers.find()).isNotEmpty();
    anemone("cluster", "stop").succeeds();
    assertThat(containers.find()).isEmpty();
    assertThat(home).doesNotExist();
  }

  @Test
  void aClusterThatDoesNotStartSaysWhyAndLeavesNothing() throws Exception {
    anemone("cluster", "start", "--nodes=1", "--hadoop=dfs.namenode.http-address=192.0.2.1:1")
        .failsWith(1, "does not start", "192.0.2.1");

    assertThat(home).doesNotExist();
  }

  @Test
  void wrongUseIsExplained() throws Exception {
    anemone("cluster", "start", "--nodes=0").failsWith(1, "1 to 200 nodes, not 0");
    anemone("cluster", "start", "--directory=" + directory + "/two words")
        .failsWith(1, "two words", "only letters");
    anemone("cluster", "begin").failsWith(2, "begin", "start");
    anemone("fs", "-ls", "/").failsWith(2, "HADOOP_CONF_DIR is not set", "cluster start");
    configuration = directory.toString();
    anemone("fs", "-ls", "/").failsWith(2, "there is no core-site.xml");
    anemone("yarn", "dance").failsWith(2, "yarn dance", "yarn logs");
  }

  private String log(RawApplication application) {
    try {
      return anemone("yarn", "logs", "-applicationId", application.id().toString()).out();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean sleeps(ProcessHandle process) {
    return process.info().command().filter(command -> command.endsWith("/sleep")).isPresent();
  }

  private Run anemone(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(LAUNCHER.toString()));
    command.addAll(List.of(arguments));
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("ANEMONE_CLUSTER_DIR", home.toString());
    builder.environment().put("HADOOP_CONF_DIR", configuration);
    Process process = builder.start();
    if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(command + " does not end; it has said " + Files.readString(err));
    }
    return new Run(process.exitValue(), Files.readString(out), Files.readString(err));
  }
}
