// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Processes of containers whose NodeManager was killed, so that nobody ends them. */
final class Leftovers {
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private final Path directory;

  /** Those of the cluster with a directory. */
  Leftovers(Path directory) {
    this.directory = directory;
  }

  /** Kills them, and waits until they are gone. */
  void kill() {
    Waiting.until(
        () -> {
          List<ProcessHandle> found = find();
          found.forEach(ProcessHandle::destroyForcibly);
          return found.isEmpty();
        },
        DEADLINE,
        () -> "processes of containers do not end: " + find());
  }

  /** Those that live. */
  List<ProcessHandle> find() {
    return ProcessHandle.allProcesses().filter(this::isContainer).toList();
  }

  /** YARN tells a container where it may have files; its script is known by its own name. */
  private boolean isContainer(ProcessHandle process) {
    return environment(process).contains("LOCAL_DIRS=" + directory + "/")
        || process
            .info()
            .commandLine()
            .filter(line -> line.contains(directory + "/"))
            .filter(line -> line.contains("default_container_executor"))
            .isPresent();
  }

  /**
   * The environment of a process; empty when it has ended, is another user's, or on other systems.
   */
  private static String environment(ProcessHandle process) {
    Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
    if (!Files.isReadable(file)) {
      return "";
    }
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException ended) {
      return "";
    }
  }
}
