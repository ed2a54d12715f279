// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.portability.server.JobServer;
import dev.anemone.portability.server.JobServerSettings;
import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the word count of {@code go/wordcount}, which Go builds first: minutes, the first time. */
@Tag("slow")
class GoWordCountTest {

  private static final Path MODULE = Path.of("..", "go").toAbsolutePath().normalize();
  private static final long BUILD_MINUTES = 7;
  private static final long JOB_MINUTES = 2;

  @TempDir Path directory;

  /** Go has no Beam of its own, and takes minutes to compile it. */
  private static void checkThereIsGo() {
    Requirement.GO.check(
        Boolean.getBoolean("anemone.go"), "programs of Go are built with -Ppython alone");
    try {
      new ProcessBuilder("go", "version").start().destroy();
    } catch (IOException e) {
      throw Requirement.GO.missing(e.getMessage());
    }
  }

  private void run(Path where, long minutes, List<String> command)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile(directory, "go", ".log");
    Process process =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!process.waitFor(minutes, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError(command + " still runs: " + Files.readString(log));
    }
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
  }

  @Test
  void wordsAreCounted() throws Exception {
    checkThereIsGo();
    Path program = directory.resolve("wordcount");
    Path text = directory.resolve("text");
    Path counts = directory.resolve("counts");
    Files.writeString(text, "a b c\na b\na\n");
    run(MODULE, BUILD_MINUTES, List.of("go", "build", "-o", program.toString(), "./wordcount"));

    try (JobServer server =
        JobServer.start(new JobServerSettings(0, 0, 0, directory.resolve("artifacts")))) {
      run(
          directory,
          JOB_MINUTES,
          List.of(
              program.toString(),
              "--input=" + text,
              "--output=" + counts,
              "--runner=universal",
              "--endpoint=" + server.jobEndpoint(),
              "--environment_type=LOOPBACK"));
    }

    assertThat(Files.readAllLines(counts)).containsExactlyInAnyOrder("a: 3", "b: 2", "c: 1");
  }
}
