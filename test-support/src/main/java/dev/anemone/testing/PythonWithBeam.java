// SPDX-License-Identifier: Apache-2.0
package dev.anemone.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A Python that has Beam's SDK: that of {@code -Danemone.python}, or one of a virtual environment
 * that is made once in the user's cache directory.
 *
 * @param interpreter its executable
 */
public record PythonWithBeam(Path interpreter) {

  private static final Duration PIPELINE = Duration.ofMinutes(2);
  private static final Duration INSTALLATION = Duration.ofMinutes(8);

  /** What it needs, as pip reads it; seen from any module. */
  private static final Path REQUIREMENTS =
      Path.of("..", "portability", "src", "test", "python", "requirements.txt");

  /**
   * What a process came to.
   *
   * @param text that it printed
   */
  public record Output(int exitCode, String text) {

    /** The last line that is not empty; empty when there is none. */
    public String lastLine() {
      return text.strip().lines().reduce("", (before, line) -> line);
    }
  }

  /** Why there is none; null before somebody has looked. */
  private static String missing;

  /**
   * Finds it, or makes it; skips the test where that cannot be done. Called before each test and
   * not once for the class: of a class that is skipped as a whole no report says why.
   */
  public static synchronized PythonWithBeam find() throws IOException, InterruptedException {
    Requirement.PYTHON.check(missing == null, missing);
    try {
      return search();
    } catch (NoPython e) {
      missing = e.getMessage();
      throw Requirement.PYTHON.missing(missing);
    }
  }

  /** No Python can be had on this machine. */
  private static final class NoPython extends IOException {
    private static final long serialVersionUID = 1;

    NoPython(String message) {
      super(message);
    }
  }

  private static PythonWithBeam search() throws IOException, InterruptedException {
    String given = System.getProperty("anemone.python", "");
    if (!given.isEmpty()) {
      return new PythonWithBeam(Path.of(given));
    }
    Path cache = Path.of(System.getProperty("user.home"), ".cache", "anemone");
    String needed = Files.readString(REQUIREMENTS);
    Path environment = cache.resolve("python-" + Integer.toHexString(needed.hashCode()));
    Path complete = environment.resolve("complete");
    PythonWithBeam made = new PythonWithBeam(environment.resolve("bin/python"));
    if (!Files.exists(complete)) {
      Files.createDirectories(cache);
      made.make(environment);
      Files.createFile(complete);
    }
    return made;
  }

  private void make(Path environment) throws IOException, InterruptedException {
    Path log = Files.createTempFile("python-environment", ".log");
    require(start(log, List.of("python3", "-m", "venv", environment.toString())), log);
    require(
        start(
            log,
            List.of(
                interpreter.toString(),
                "-m",
                "pip",
                "install",
                "-q",
                "-r",
                REQUIREMENTS.toString())),
        log);
    Files.delete(log);
  }

  private static void require(int exitCode, Path log) throws IOException {
    if (exitCode != 0) {
      throw new NoPython("no virtual environment with Beam's SDK: " + Files.readString(log));
    }
  }

  private static int start(Path log, List<String> command)
      throws IOException, InterruptedException {
    try {
      return await(
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start(),
          INSTALLATION);
    } catch (IOException e) {
      throw new NoPython(e.getMessage());
    }
  }

  /** Where the package that comes with the project lies. */
  private static String modules() {
    return Path.of("..", "python").toAbsolutePath().normalize().toString();
  }

  /** Runs a program to its end. */
  public Output run(Path directory, List<String> arguments)
      throws IOException, InterruptedException {
    return run(directory, arguments, Map.of(), PIPELINE);
  }

  /**
   * Runs a program to its end.
   *
   * @param variables of its environment
   * @param atMost how long it may take
   */
  public Output run(
      Path directory, List<String> arguments, Map<String, String> variables, Duration atMost)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(interpreter.toString()));
    command.addAll(arguments);
    Path log = Files.createTempFile(directory, "python", ".log");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().put("PYTHONPATH", modules());
    builder.environment().putAll(variables);
    int exitCode = await(builder.start(), atMost);
    return new Output(exitCode, Files.readString(log));
  }

  private static int await(Process process, Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError("still running after " + atMost + ": " + process.info());
    }
    return process.exitValue();
  }

  /** A script that starts a harness in this Python. */
  public Path harnessScript(Path directory) throws IOException {
    return executable(
        directory.resolve("boot"),
        """
        #!/bin/sh
        export PYTHONPATH=%s
        exec %s -m anemone_beam.boot "$@"
        """
            .formatted(modules(), interpreter));
  }

  /** Writes a script. */
  public static Path executable(Path script, String text) throws IOException {
    Files.writeString(script, text);
    return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
