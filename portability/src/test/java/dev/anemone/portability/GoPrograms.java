// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Builds programs of the module {@code go}, and lets them submit jobs.
 *
 * @param directory where the programs run, and leave their logs
 */
record GoPrograms(Path directory) {

  private static final Path MODULE = Path.of("..", "go").toAbsolutePath().normalize();
  private static final long BUILD_MINUTES = 7;
  private static final long JOB_MINUTES = 4;

  /** Go has no Beam of its own, and takes minutes to compile it; skips the test without Go. */
  static GoPrograms find(Path directory) {
    Requirement.GO.check(
        Boolean.getBoolean("anemone.go"), "programs of Go are built with -Ppython alone");
    try {
      new ProcessBuilder("go", "version").start().destroy();
    } catch (IOException e) {
      throw Requirement.GO.missing(e.getMessage());
    }
    return new GoPrograms(directory);
  }

  /** Runs the command {@code go}. */
  void build(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("go"));
    command.addAll(arguments);
    run(MODULE, BUILD_MINUTES, command);
  }

  /** Runs a program that submits jobs to a server, and says what it has printed. */
  String submit(String endpoint, List<String> program) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.add("--runner=universal");
    command.add("--endpoint=" + endpoint);
    command.add("--environment_type=LOOPBACK");
    return run(directory, JOB_MINUTES, command);
  }

  private String run(Path where, long minutes, List<String> command)
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
    return Files.readString(log);
  }
}
