// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.portability.server.JobLimits;
import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import dev.anemone.testing.PythonWithBeam;
import dev.anemone.testing.StagedGreetings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Pipelines of Python whose harnesses are processes in the containers of a cluster. A job server of
 * this JVM, which was given the cluster, takes them.
 */
class YarnPythonIT {

  private static final Path PIPELINES =
      Path.of("..", "portability", "src", "test", "python", "pipelines.py");
  private static final int EXECUTOR_MB = 1024;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir private static Path directory;

  private static PythonWithBeam python;
  private static JobServer server;

  @BeforeEach
  void start() throws Exception {
    python = PythonWithBeam.find();
    if (server == null) {
      List<String> options = new ArrayList<>(TestCluster.shared().arguments("python", "Default"));
      options.removeIf(YarnPythonIT::isOfPrograms);
      options.add("--executorMemoryMb=" + EXECUTOR_MB);
      server =
          JobServer.start(
              new JobServerSettings(
                  0, 0, 0, directory.resolve("artifacts"), JobLimits.DEFAULT, options));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  /** What a server cannot give to all jobs, and what is given otherwise here. */
  private static boolean isOfPrograms(String option) {
    return List.of("--runner", "--jobName", "--optimizationPolicy", "--executorMemoryMb").stream()
        .anyMatch(name -> option.startsWith(name + "="));
  }

  private static PythonWithBeam.Output run(String pipeline, List<String> options) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add(PIPELINES.toString());
    arguments.add(pipeline);
    arguments.add("--runner=PortableRunner");
    arguments.add("--job_endpoint=" + server.jobEndpoint());
    arguments.addAll(options);
    return python.run(directory, arguments, Map.of(), LIMIT);
  }

  private static List<String> inProcesses(Path command, String... options) {
    List<String> all = new ArrayList<>();
    all.add("--environment_type=PROCESS");
    all.add("--environment_option=process_command=" + command);
    all.addAll(List.of(options));
    return all;
  }

  @Test
  void wordsAreCountedWithWhatTheProgramHasStaged() throws Exception {
    List<String> options =
        inProcesses(python.harnessScript(directory), "--optimization_policy=LargeShuffle");
    options.addAll(StagedGreetings.write(directory).asPackage());

    PythonWithBeam.Output output = run("staged", options);

    assertThat(output.text()).contains("state DONE").contains("words 6");
    assertThat(output.exitCode()).isZero();
    TestCluster cluster = TestCluster.running();
    Waiting.until(
        () -> cluster.hasLogged("a harness greets: hello b!"),
        LIMIT,
        () -> "no container has logged what its harness has");
  }

  @Test
  @Tag("nightly")
  void theTracebackIsTheCause() throws Exception {
    PythonWithBeam.Output output =
        run("fail", inProcesses(python.harnessScript(directory), "--max_task_attempts=1"));

    assertThat(output.exitCode()).isNotZero();
    assertThat(output.text())
        .contains("ValueError: no c please")
        .contains("in refuse_c")
        .contains("failed in state FAILED");
  }

  @Test
  @Tag("nightly")
  void aJobThatIsCancelledEndsItsHarness() throws Exception {
    Path marker = directory.resolve("marker");

    PythonWithBeam.Output output =
        run("block", inProcesses(python.harnessScript(directory), "--marker=" + marker));

    assertThat(output.text()).contains("state CANCELLED");
    long harness = Long.parseLong(Files.readString(marker));
    Waiting.until(
        () -> ProcessHandle.of(harness).filter(ProcessHandle::isAlive).isEmpty(),
        LIMIT,
        () -> "the harness " + harness + " is still there");
  }

  @Test
  @Tag("nightly")
  void aNodeWithoutPythonIsAnError() throws Exception {
    Path command =
        PythonWithBeam.executable(
            directory.resolve("no-python"),
            "#!/bin/sh\nexec no-such-python -m anemone_beam.boot\n");

    PythonWithBeam.Output output = run("count", inProcesses(command, "--max_task_attempts=1"));

    assertThat(output.exitCode()).isNotZero();
    assertThat(output.text())
        .contains("has ended with exit code 127 before its SDK harness was there")
        .contains("no-such-python");
  }

  @Test
  @Tag("nightly")
  void aHarnessThatDoesNotStartIsAnErrorInItsTime() throws Exception {
    Path command =
        PythonWithBeam.executable(directory.resolve("sleeps"), "#!/bin/sh\nexec sleep 600\n");

    PythonWithBeam.Output output =
        run("count", inProcesses(command, "--max_task_attempts=1", "--harness_start_seconds=2"));

    assertThat(output.text()).contains("has given no SDK harness within 2 s");
  }

  /** All machines of this cluster are this one. */
  @Test
  @Tag("nightly")
  void aProgramOnTheClustersOnlyMachineMayRunFunctionsItself() throws Exception {
    PythonWithBeam.Output output = run("count", List.of("--environment_type=LOOPBACK"));

    assertThat(output.text()).contains("state DONE").contains("words 6");
  }
}
