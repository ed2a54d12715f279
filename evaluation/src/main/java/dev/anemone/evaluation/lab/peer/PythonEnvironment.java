// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.SystemCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A virtual environment of Python; it is made when it is first needed. */
public record PythonEnvironment(Path place) {
  private static final Duration DOWNLOAD_DEADLINE = Duration.ofMinutes(30);

  /** One that has a package, given as pip takes it, in a directory. */
  public static PythonEnvironment with(String requirement, Path place)
      throws IOException, InterruptedException {
    Path complete = place.resolve("complete");
    PythonEnvironment made = new PythonEnvironment(place);
    if (!Files.exists(complete)) {
      Path parent = Files.createDirectories(place.toAbsolutePath().getParent());
      SystemCommand.run(parent, DOWNLOAD_DEADLINE, Arguments.of("python3", "-m", "venv", place));
      SystemCommand.run(
          parent,
          DOWNLOAD_DEADLINE,
          Arguments.of(place.resolve("bin/pip"), "install", "--quiet", requirement));
      Files.createFile(complete);
    }
    return made;
  }

  /** Where its programs lie. */
  public Path bin() {
    return place.resolve("bin");
  }

  public Path interpreter() {
    return bin().resolve("python");
  }
}
