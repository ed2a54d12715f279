// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program of the system that ends soon and says a few lines, which fit into a pipe. */
public final class SystemCommand {
  private SystemCommand() {}

  /** Runs a command and returns what it says; fails if that fails or takes too long. */
  public static String run(Path directory, Duration deadline, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(deadline.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new ExperimentFailure(
            "%s did not end within %d s.", String.join(" ", command), deadline.toSeconds());
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) {
        throw new ExperimentFailure("%s failed: %s", String.join(" ", command), said.strip());
      }
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
