// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import dev.anemone.testing.PythonWithBeam;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of SDK harnesses, which are processes here: that start, end, do not start, die. */
@Tag("slow")
class HarnessesTest {

  private static final Path PIPELINES = Path.of("src/test/python/pipelines.py");
  private static final long END_SECONDS = 20;

  @TempDir Path directory;

  private PythonWithBeam python;
  private JobServer server;
  private Path marker;

  @BeforeEach
  void start() throws Exception {
    python = PythonWithBeam.find();
    server = JobServer.start(new JobServerSettings(0, 0, 0, directory.resolve("artifacts")));
    marker = directory.resolve("marker");
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  private PythonWithBeam.Output run(String pipeline, Path boot, String... options)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add(PIPELINES.toString());
    arguments.add(pipeline);
    arguments.add("--runner=PortableRunner");
    arguments.add("--job_endpoint=" + server.jobEndpoint());
    arguments.add("--environment_type=PROCESS");
    arguments.add("--environment_option=process_command=" + boot);
    arguments.add("--marker=" + marker);
    arguments.addAll(List.of(options));
    return python.run(directory, arguments);
  }

  @Test
  void aJobThatIsCancelledEndsItsHarness() throws Exception {
    PythonWithBeam.Output output = run("block", python.harnessScript(directory));

    assertThat(output.text()).contains("state CANCELLED");
    long pid = Long.parseLong(Files.readString(marker));
    ProcessHandle.of(pid)
        .map(ProcessHandle::onExit)
        .orElse(CompletableFuture.completedFuture(null))
        .get(END_SECONDS, TimeUnit.SECONDS);
  }

  @Test
  void whatACommandPrintsThatEndsIsTheError() throws Exception {
    Path boot =
        PythonWithBeam.executable(
            directory.resolve("boot"), "#!/bin/sh\necho no such module >&2\nexit 3\n");

    PythonWithBeam.Output output = run("count", boot);

    assertThat(output.exitCode()).isNotZero();
    assertThat(output.text())
        .contains("has ended with exit code 3 before its SDK harness was there")
        .contains("no such module");
  }

  @Test
  void aCommandThatGivesNoHarnessFailsTheJobInItsTime() throws Exception {
    Path boot =
        PythonWithBeam.executable(
            directory.resolve("boot"), "#!/bin/sh\necho $$ > " + marker + "\nexec sleep 600\n");

    PythonWithBeam.Output output = run("count", boot, "--harness_start_seconds=2");

    assertThat(output.text())
        .contains("has given no SDK harness within 2 s (--harnessStartSeconds)");
    long pid = Long.parseLong(Files.readString(marker).strip());
    assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void aPackageThatCannotBeInstalledIsNamed() throws Exception {
    Path broken =
        Files.writeString(directory.resolve("broken-1.0-py3-none-any.whl"), "this is no wheel");

    PythonWithBeam.Output output =
        run(
            "count",
            python.harnessScript(directory),
            "--extra_package=" + broken,
            "--semi_persist_dir=" + directory.resolve("harnesses"));

    assertThat(output.exitCode()).isNotZero();
    assertThat(output.text())
        .contains("has ended with exit code 1 before its SDK harness was there")
        .contains("pip cannot install the package broken-1.0-py3-none-any.whl");
  }

  @Test
  void aCommandThatIsNotThereIsNamed() throws Exception {
    Path boot = directory.resolve("nothing");

    assertThat(run("count", boot).text()).contains(boot + ", which cannot be started");
  }

  /** As many as {@code -Danemone.python.kills} says, from the seed {@code ...kills.seed} on. */
  static LongStream seeds() {
    long first = Long.getLong("anemone.python.kills.seed", 1);
    return LongStream.range(first, first + Long.getLong("anemone.python.kills", 1));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tasksOfAHarnessThatIsKilledRunOnANewOne(long seed) throws Exception {
    PythonWithBeam.Output output =
        run(
            "kill",
            python.harnessScript(directory),
            "--seed=" + seed,
            "--sdk_worker_parallelism=" + (1 + seed % 2));

    assertThat(output.text()).as("seed " + seed).contains("state DONE");
    assertThat(output.exitCode()).isZero();
    assertThat(directory.resolve("marker.killed")).exists();
  }
}
