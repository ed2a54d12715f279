// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs programs that run one job each, every time in a fresh JVM. Used by one thread.
 *
 * @param figures whose class path has the programs
 * @param directory for logs and passing files; it is there
 * @param deadline after which a program is killed
 */
public record JobRuns(FigureRun figures, Path directory, Duration deadline) {
  private static final Pattern PAUSE = Pattern.compile("Pause .* ([0-9.]+)ms$");

  /**
   * Runs a program once.
   *
   * @param name of its logs
   * @param jvmOptions of its JVM
   * @param arguments of the program, beside where it has passing files and its event log
   * @return empty when it failed or took too long; {@code name.log} says why
   */
  public Optional<JobCost> run(
      String name, Class<?> program, List<String> jvmOptions, List<String> arguments)
      throws IOException, InterruptedException {
    Path work = directory.resolve(name);
    FileTrees.delete(work);
    Path temporary = Files.createDirectories(work.resolve("tmp"));
    Path events = work.resolve("events");
    Path collections = work.resolve("gc.log");
    JavaProgram java =
        JavaProgram.of(
            program,
            figures.evaluation().ownClassPath(),
            Arguments.of(
                NemoJvm.options(),
                jvmOptions,
                "-Djava.io.tmpdir=" + temporary,
                "-Xlog:gc:file=" + collections + ":none"),
            arguments,
            "--progress=off",
            "--tempDirectory=" + temporary,
            "--eventLog=" + events);
    try {
      ProcessFigures ended = MeasuredProcess.run(java.command(), work, log(name), deadline);
      return ended.succeeded()
          ? Optional.of(
              JobCost.of(JobLog.only(events).head(), ended.cost(), pauseSeconds(collections)))
          : Optional.empty();
    } finally {
      FileTrees.delete(work);
    }
  }

  /** Where a program's output is. */
  public Path log(String name) {
    return directory.resolve(name + ".log");
  }

  /** How long the collections in a log of the JVM's stopped it. */
  static double pauseSeconds(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
              .map(PAUSE::matcher)
              .filter(Matcher::find)
              .mapToDouble(pause -> Double.parseDouble(pause.group(1)))
              .sum()
          / 1e3;
    }
  }
}
