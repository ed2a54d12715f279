// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.examples.wordcount.WordCount;
import dev.anemone.ui.jobs.JobsCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.PipelineResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A program that is killed leaves nothing on the cluster, nor in its memory pool; a detached job
 * goes on without its program.
 */
class YarnClientLossIT {
  private static final int HEARTBEAT_TIMEOUT_SECONDS = 5;
  private static final Duration END_LIMIT = Duration.ofMinutes(3);
  private static final org.joda.time.Duration JOB_LIMIT = org.joda.time.Duration.standardMinutes(5);

  @TempDir private static Path directory;
  private static TestCluster cluster;
  private static PoolServers pool;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    pool = new PoolServers(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    if (pool != null) {
      pool.close();
    }
  }

  @Test
  void theApplicationEndsWithItsContainersAndFiles() throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, FaultyWordCount.COUNT));
    Process client = startClient();
    try {
      awaitStrike(client);
      assertThat(cluster.cluster().containers()).hasSizeGreaterThan(1);
      assertThat(cluster.staged()).isNotEmpty();
      assertThat(pool.usedBytes()).isPositive();

      client.destroyForcibly();

      Waiting.until(
          () -> cluster.cluster().containers().isEmpty() && cluster.staged().isEmpty(),
          END_LIMIT,
          () -> "there are containers or files: " + cluster.cluster().containers());
      Waiting.until(
          () -> pool.usedBytes() == 0 && pool.directories().isEmpty(),
          END_LIMIT,
          () -> pool.usedBytes() + " bytes are left in the memory pool");
    } finally {
      client.destroyForcibly();
    }
  }

  @Test
  @Tag("nightly")
  void aCommandDoesNotWaitForItsDetachedJob() throws Exception {
    startDetached("detached");
    Path report = directory.resolve("report.html");
    NemoPipelineOptions options = cluster.options("detached", "Default");
    options.setReport(report.toString());

    PipelineResult job = NemoRunner.attach(options, cluster.staged().get(0));
    cluster.faults().release();

    assertThat(job.waitUntilFinish(JOB_LIMIT)).isEqualTo(PipelineResult.State.DONE);
    assertThat(cluster.takeResult("detached")).isEqualTo(cluster.trueCounts());
    // Of a job that this client has not started, from its beginning to its end.
    assertThat(Files.readString(report))
        .contains("\"policy\":\"Default\"", "[\"stage0\",0,0,\"container_", "\"pass\":")
        .contains("\"state\":\"SUCCEEDED\"");
  }

  @Test
  void aDetachedJobIsShownAndKilledByCommands() throws Exception {
    startDetached("killed", "--eventLog=" + cluster.path("/killed-logs"));
    String application = cluster.staged().get(0);

    assertThat(command("show", application)).contains("running", "/proxy/" + application + "/");
    assertThat(command("kill", application)).contains("was killed");
    Waiting.until(
        () -> cluster.cluster().containers().isEmpty(),
        END_LIMIT,
        () -> "there are containers: " + cluster.cluster().containers());

    assertThat(command("show", application, "--logs=" + cluster.path("/killed-logs")))
        .contains("killed", "does not say how the job ended", "STAGE");
  }

  /** What a command about jobs of the cluster prints. */
  private static String command(String name, String application, String... more) {
    List<String> arguments = new ArrayList<>(List.of(name, application, "--yarn"));
    arguments.add("--hadoopConfDir=" + cluster.cluster().configurationDirectory());
    arguments.addAll(List.of(more));
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(new CommandLine(new JobsCommand()).execute(arguments.toArray(String[]::new)))
          .as(name)
          .isZero();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  /** Runs a program that ends before its job, whose first task is held. */
  private static void startDetached(String job, String... more) throws Exception {
    cluster.faults().arm(Fault.once(Fault.Kind.HOLD, "BEGUN"));
    List<String> arguments = new ArrayList<>(cluster.arguments(job, "Default"));
    arguments.addAll(
        List.of(
            "--detached",
            "--deadlineMinutes=10",
            "--input=" + cluster.input(),
            "--output=" + cluster.output(job)));
    arguments.addAll(List.of(more));
    Process client = start(WordCount.class, arguments);
    try {
      assertThat(client.waitFor(FaultDirectory.STRIKE_LIMIT.toSeconds(), TimeUnit.SECONDS))
          .isTrue();
      assertThat(client.exitValue()).isZero();
    } finally {
      client.destroyForcibly();
    }
    cluster.faults().awaitStrike();
  }

  private static Process startClient() throws IOException {
    List<String> arguments =
        new ArrayList<>(
            cluster.arguments(
                "lost-client",
                "Disaggregation",
                "tez.am.client.heartbeat.timeout.secs=" + HEARTBEAT_TIMEOUT_SECONDS));
    arguments.add("--input=" + cluster.input());
    arguments.add("--output=" + cluster.output("lost-client"));
    arguments.addAll(pool.arguments());
    return start(ClusterProgram.class, arguments);
  }

  /** Waits until the fault has struck the job of a program, which must not end before. */
  private static void awaitStrike(Process client) throws Exception {
    Path log = log(ClusterProgram.class);
    Waiting.until(
        () -> !client.isAlive() || !cluster.faults().strikes().isEmpty(),
        FaultDirectory.STRIKE_LIMIT,
        () -> "no task has come to the fault; the program says:\n" + read(log));
    assertThat(client.isAlive()).as("the program has ended:\n%s", read(log)).isTrue();
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path log(Class<?> program) {
    return directory.resolve(program.getSimpleName() + ".log");
  }

  private static Process start(Class<?> program, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-opens"))
        .forEach(command::add);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log(program).toFile())
        .start();
  }
}
