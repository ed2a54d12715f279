// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.process;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs programs that run a pipeline on NemoRunner and report what they found, each time in a fresh
 * JVM. A program gets {@code --figures=FILE}, and writes JSON there. Thread-safe, as long as no two
 * runs have the same name.
 *
 * @param directory for logs and passing files; made if missing. The blocks of shuffles lie below
 *     it, so its disk is the one that is measured
 * @param classPath with the programs and NemoRunner
 */
public record ReportingProcess(
    Path directory, String classPath, List<String> jvmOptions, Duration deadline) {
  /** A program that reported success, and where its output went. */
  public record Reported<R>(ProcessCost cost, R report, Path log) {}

  /** Options of the JVM of a run, and what turns its command into one under other conditions. */
  public record Setting(List<String> jvmOptions, UnaryOperator<List<String>> command) {
    /** The machine as it is. */
    public static final Setting USUAL = new Setting(List.of(), UnaryOperator.identity());
  }

  /** Runs a program once; fails if that fails or is killed, and says where the log is. */
  public <R extends Record> Reported<R> run(
      String name, Class<?> program, List<String> arguments, Class<R> report, Setting setting)
      throws IOException, InterruptedException {
    Path log = directory.resolve(name + ".log");
    Path work = directory.resolve(name);
    FileTrees.delete(work);
    Path temporary = Files.createDirectories(work.resolve("tmp"));
    try {
      Path reportFile = work.resolve("report.json");
      JavaProgram java =
          JavaProgram.of(
              program,
              classPath,
              Arguments.of(jvmOptions, setting.jvmOptions(), "-Djava.io.tmpdir=" + temporary),
              List.of("--runner=NemoRunner", "--progress=off", "--tempDirectory=" + temporary),
              "--figures=" + reportFile,
              arguments);
      ProcessFigures figures =
          MeasuredProcess.run(setting.command().apply(java.command()), work, log, deadline)
              .requireSuccess("The run " + name);
      return new Reported<>(
          figures.cost(), new ObjectMapper().readValue(reportFile.toFile(), report), log);
    } finally {
      FileTrees.delete(work);
    }
  }
}
