// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.ExperimentFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs programs that run a pipeline on NemoRunner and report what they found, each time in a fresh
 * JVM. A program gets {@code --report=FILE}, and writes JSON there. Thread-safe, as long as no two
 * runs have the same name.
 */
public final class ReportingProcess {
  private static final int LOG_LINES = 15;

  private final Path directory;
  private final String classPath;
  private final List<String> jvmOptions;
  private final Duration deadline;

  /**
   * A program that reported success.
   *
   * @param figures what the process cost
   * @param report what the program found
   * @param log where its output went
   */
  public record Reported<R>(ProcessFigures figures, R report, Path log) {}

  /**
   * @param directory for logs and passing files; made if missing. The blocks of shuffles lie below
   *     it, so its disk is the one that is measured
   * @param classPath with the programs and NemoRunner
   * @param jvmOptions of every JVM
   * @param deadline after which a run is killed
   */
  public ReportingProcess(
      Path directory, String classPath, List<String> jvmOptions, Duration deadline) {
    this.directory = directory;
    this.classPath = classPath;
    this.jvmOptions = List.copyOf(jvmOptions);
    this.deadline = deadline;
  }

  /**
   * Runs a program once.
   *
   * @param name of the run, for its log
   * @param program its class
   * @param moreJvmOptions that only this run gets
   * @param arguments beside those for the runner's temporary files and for the report
   * @param report what the program writes
   * @param command turns the command into one that runs it under other conditions
   * @throws ExperimentFailure if the run failed, or was killed at the deadline; the message says
   *     which, and where the log is
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  public <R extends Record> Reported<R> run(
      String name,
      Class<?> program,
      List<String> moreJvmOptions,
      List<String> arguments,
      Class<R> report,
      UnaryOperator<List<String>> command)
      throws IOException, InterruptedException {
    Path log = directory.resolve(name + ".log");
    Path work = directory.resolve(name);
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("tmp"));
    try {
      Path reportFile = work.resolve("report.json");
      List<String> options = new ArrayList<>(jvmOptions);
      options.addAll(moreJvmOptions);
      options.add("-Djava.io.tmpdir=" + work.resolve("tmp"));
      List<String> all =
          new ArrayList<>(
              List.of(
                  "--runner=NemoRunner",
                  "--progress=off",
                  "--tempDirectory=" + work.resolve("tmp"),
                  "--report=" + reportFile));
      all.addAll(arguments);
      JavaProgram java = new JavaProgram(program.getName(), classPath, options, all);
      ProcessFigures figures =
          MeasuredProcess.run(command.apply(java.command()), work, log, deadline);
      requireSuccess(name, figures, log);
      return new Reported<>(
          figures, new ObjectMapper().readValue(reportFile.toFile(), report), log);
    } finally {
      DirectoryTree.delete(work);
    }
  }

  private void requireSuccess(String name, ProcessFigures figures, Path log) throws IOException {
    if (figures.exitCode().isEmpty()) {
      throw new ExperimentFailure(
          "The run "
              + name
              + " was killed after "
              + deadline.toSeconds()
              + " s. Its log is "
              + log
              + ". Give it more time with --deadline, or less to do.");
    }
    if (!figures.succeeded()) {
      throw new ExperimentFailure(
          "The run "
              + name
              + " failed with exit code "
              + figures.exitCode().getAsInt()
              + ". The end of its log, "
              + log
              + ":\n"
              + MeasuredProcess.lastMessages(log, LOG_LINES));
    }
  }
}
