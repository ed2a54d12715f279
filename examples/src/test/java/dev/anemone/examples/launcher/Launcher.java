// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Starts {@code bin/anemone}, or a shell that does, as a user would: another process, with the
 * launcher's class path and nothing of the tests'.
 */
public final class Launcher {
  private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
  private static final String HEAP = "1g";

  private final Path directory;
  private final Map<String, String> environment;
  private final Duration deadline;

  /**
   * A launcher.
   *
   * @param directory the working directory of what is started
   * @param environment variables that are added to those of this JVM
   * @param deadline after which a process is ended, and the test has failed
   */
  public Launcher(Path directory, Map<String, String> environment, Duration deadline) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
    this.deadline = deadline;
  }

  /** What a process has said, and its exit code. */
  public record Run(List<String> command, int code, String out, String err) {

    /** Fails the test unless the process has succeeded. */
    public Run succeeds() {
      assertThat(code).as("%s said%n%s%n%s", command, out, err).isZero();
      return this;
    }
  }

  /** The directory of the project's sources. */
  public static Path project() {
    return PROJECT;
  }

  /** The launcher's script. */
  public static Path script() {
    return PROJECT.resolve("bin/anemone");
  }

  /** The class path of the launcher. */
  static String classPath() throws IOException {
    return Files.readString(Path.of(System.getenv("ANEMONE_CLASSPATH_FILE")));
  }

  /** Runs the launcher with these arguments, and waits for its end. */
  public Run anemone(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script().toString()));
    command.addAll(List.of(arguments));
    return start(command);
  }

  /** Runs a script for bash, which stops at its first command that fails. */
  public Run bash(String script) throws IOException, InterruptedException {
    return start(List.of("bash", "-euo", "pipefail", "-c", script));
  }

  private Run start(List<String> command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("launcher", ".out");
    Path err = Files.createTempFile("launcher", ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("ANEMONE_HEAP", HEAP);
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(deadline.toSeconds(), TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new AssertionError(
            command + " has not ended within " + deadline + "; it said\n" + Files.readString(err));
      }
      return new Run(command, process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }
}
