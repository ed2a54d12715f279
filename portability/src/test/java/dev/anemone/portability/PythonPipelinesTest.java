// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import dev.anemone.testing.PythonWithBeam;
import dev.anemone.testing.StagedGreetings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs pipelines of Beam's Python SDK, each in a process of its own, on one job server. */
@Tag("slow")
class PythonPipelinesTest {

  private static final Path PIPELINES = Path.of("src/test/python/pipelines.py");

  @TempDir static Path directory;

  private static PythonWithBeam python;
  private static JobServer server;

  @BeforeEach
  void start() throws Exception {
    python = PythonWithBeam.find();
    if (server == null) {
      server = JobServer.start(new JobServerSettings(0, 0, 0, directory.resolve("artifacts")));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private static PythonWithBeam.Output run(String pipeline, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(PIPELINES.toString());
    arguments.add(pipeline);
    arguments.add("--runner=PortableRunner");
    arguments.add("--job_endpoint=" + server.jobEndpoint());
    arguments.addAll(List.of(options));
    return python.run(directory, arguments);
  }

  @ParameterizedTest
  @ValueSource(strings = {"group", "side", "state", "timer", "flatten"})
  void givesTheRightAnswer(String pipeline) throws Exception {
    PythonWithBeam.Output output = run(pipeline, "--environment_type=LOOPBACK");

    assertThat(output.text()).contains("state DONE");
    assertThat(output.exitCode()).isZero();
  }

  @Test
  void javaPlansAndRunsAQuery() throws Exception {
    PythonWithBeam.Output output =
        run(
            "sql",
            "--environment_type=LOOPBACK",
            "--expansion=" + server.expansionEndpoint(),
            "--optimization_policy=LargeShuffle");

    assertThat(output.text()).contains("state DONE");
    assertThat(output.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"LargeShuffle", "DataSkew"})
  void passesServePythonAndMetricsComeBack(String policy) throws Exception {
    Path plans = directory.resolve("plans" + policy);

    PythonWithBeam.Output output =
        run(
            "count",
            "--environment_type=LOOPBACK",
            "--optimization_policy=" + policy,
            "--dag_directory=" + plans);

    assertThat(output.text()).contains("state DONE").contains("words 6");
    assertThat(plans).isDirectoryRecursivelyContaining("glob:**" + policy + "**");
  }

  @Test
  void theTracebackIsTheCause() throws Exception {
    PythonWithBeam.Output output = run("fail", "--environment_type=LOOPBACK");

    assertThat(output.exitCode()).isNotZero();
    assertThat(output.text())
        .contains("ValueError: no c please")
        .contains("in refuse_c")
        .contains("failed in state FAILED");
  }

  @Test
  void anEndpointThatIsNoJobServersFailsAtOnce() throws Exception {
    PythonWithBeam.Output output =
        python.run(
            directory,
            List.of(
                PIPELINES.toString(),
                "count",
                "--runner=PortableRunner",
                "--job_endpoint=" + server.expansionEndpoint(),
                "--environment_type=LOOPBACK"));

    assertThat(output.exitCode()).isNotZero();
    assertThat(output.text())
        .contains("UNIMPLEMENTED")
        .contains("org.apache.beam.model.job_management.v1.JobService");
  }

  @Test
  void anSdkOfAnotherReleaseIsWarnedOf() throws Exception {
    PythonWithBeam.Output output =
        python.run(
            directory,
            List.of(
                "-c",
                """
                import sys
                import apache_beam.transforms.environments as environments
                environments.sdk_base_version_capability = (
                    lambda: 'beam:version:sdk_base:apache/beam_python_sdk:2.50.0')
                sys.argv[0] = '%s'
                exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'))
                """
                    .formatted(PIPELINES.toAbsolutePath()),
                "count",
                "--runner=PortableRunner",
                "--job_endpoint=" + server.jobEndpoint(),
                "--environment_type=LOOPBACK"));

    assertThat(output.text())
        .contains("state DONE")
        .contains(
            "The pipeline is of apache/beam_python_sdk:2.50.0, and this runner of Beam 2.70.0");
  }

  @Test
  void aHarnessRunsInAProcess() throws Exception {
    Path boot = python.harnessScript(directory);

    PythonWithBeam.Output output =
        run("group", "--environment_type=PROCESS", "--environment_option=process_command=" + boot);

    assertThat(output.text()).contains("state DONE");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aHarnessInAProcessHasWhatTheProgramHasStaged(boolean byRequirements) throws Exception {
    Path files = Files.createDirectories(directory.resolve("by requirements " + byRequirements));
    StagedGreetings staged = StagedGreetings.write(files);
    Path harnesses = files.resolve("harnesses");
    List<String> options = new ArrayList<>();
    options.add("--environment_type=PROCESS");
    options.add("--environment_option=process_command=" + python.harnessScript(directory));
    options.add("--sdk_worker_parallelism=2");
    options.add("--semi_persist_dir=" + harnesses);
    options.addAll(byRequirements ? staged.asRequirements() : staged.asPackage());

    PythonWithBeam.Output output = run("staged", options.toArray(String[]::new));

    assertThat(output.text()).contains("state DONE").contains("words 6");
    try (Stream<Path> left = Files.walk(harnesses, 3)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .as("one virtual environment for both harnesses, and no other files of them")
          .containsOnlyOnce("complete")
          .noneMatch(name -> name.startsWith("anemone-harness-"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LOOPBACK, --jobs, 1",
    "PROCESS, --jobs, 0",
    "DOCKER, --jobs, 0",
    "PROCESS, --sdk_worker_parallelism=1, 1",
    "PROCESS, --sdk_worker_parallelism=3, 3"
  })
  void theRunnerOfThePackageAsksForHarnessesThatAreProcesses(
      String type, String option, String harnesses) throws Exception {
    PythonWithBeam.Output output =
        python.run(
            directory,
            List.of(
                "-c",
                """
                import sys
                from anemone_beam import NemoRunner
                from apache_beam.options import pipeline_options
                options = pipeline_options.PipelineOptions(sys.argv[1:])
                NemoRunner().default_environment(options)
                portable = options.view_as(pipeline_options.PortableOptions)
                print('harnesses', portable.sdk_worker_parallelism)
                """,
                "--environment_type=" + type,
                "--environment_option=process_command=boot",
                option));

    assertThat(output.text()).contains("harnesses " + harnesses);
  }

  @Test
  void theRunnerOfThePackageStartsAServerByItself() throws Exception {
    Path home = directory.resolve("home");
    Files.createDirectories(home.resolve("bin"));
    PythonWithBeam.executable(
        home.resolve("bin").resolve("anemone"),
        """
        #!/bin/sh
        exec %s "$@"
        """
            .formatted(String.join(" ", ServerProcess.launcher(512))));

    PythonWithBeam.Output output =
        python.run(
            directory,
            List.of(
                PIPELINES.toString(),
                "count",
                "--runner=anemone_beam.NemoRunner",
                "--anemone_home=" + home));

    assertThat(output.text()).contains("state DONE").contains("words 6");
    assertThat(output.exitCode()).isZero();
  }
}
