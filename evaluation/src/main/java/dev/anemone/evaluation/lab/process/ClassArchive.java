// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The classes that a program has loaded, in a file that later JVMs map into memory instead of
 * reading, parsing and verifying them again (JEP 350, dynamic class-data sharing). It serves JVMs
 * of the same version whose class path begins with the same unchanged jars; others start as if
 * there were none. Immutable.
 */
public record ClassArchive(Path file) {
  private static final int LOG_LINES = 15;

  /** Runs a program of jars only, which need not succeed; fails if it leaves no archive. */
  public static ClassArchive train(
      JavaProgram program, Path file, Path directory, Path log, Duration deadline)
      throws IOException, InterruptedException {
    Files.deleteIfExists(file);
    // One warning for each class that cannot be archived would bury what went wrong.
    JavaProgram training =
        program.withJvmOptions("-XX:ArchiveClassesAtExit=" + file, "-Xlog:cds=error");
    MeasuredProcess.run(training.command(), directory, log, deadline);
    if (!Files.exists(file)) {
      throw new ExperimentFailure(
          "The training run of %s has left no archive of its classes within %d s. The end of its"
              + " output, %s:%n%s",
          program.mainClass(),
          deadline.toSeconds(),
          log,
          MeasuredProcess.lastMessages(log, LOG_LINES));
    }
    return new ClassArchive(file);
  }

  public List<String> jvmOptions() {
    return List.of("-XX:SharedArchiveFile=" + file, "-Xshare:auto");
  }
}
