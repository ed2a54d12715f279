// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.ui.model.JobModel;
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
 * @param directory for logs; it is there
 * @param passing for what is gone when a run has ended, what lies between stages in files as well;
 *     it is there
 * @param deadline after which a program is killed
 */
public record JobRuns(FigureRun figures, Path directory, Path passing, Duration deadline) {
  private static final Pattern PAUSE = Pattern.compile("Pause .* ([0-9.]+)ms$");

  /** Logs and passing files in one directory. */
  public JobRuns(FigureRun figures, Path directory, Duration deadline) {
    this(figures, directory, directory, deadline);
  }

  /**
   * A job that ended well.
   *
   * @param events what it told of itself
   * @param process what its JVM cost, from its start to its end
   */
  public record Ended(JobModel events, ProcessCost process, JobCost cost) {}

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
    return measure(name, program, jvmOptions, arguments).map(Ended::cost);
  }

  private Optional<Ended> measure(
      String name, Class<?> program, List<String> jvmOptions, List<String> arguments)
      throws IOException, InterruptedException {
    Path work = passing.resolve(name);
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
      if (!ended.succeeded()) {
        return Optional.empty();
      }
      JobModel told = JobLog.only(events);
      return Optional.of(
          new Ended(
              told,
              ended.cost(),
              JobCost.of(told.head(), ended.cost(), pauseSeconds(collections))));
    } finally {
      FileTrees.delete(work);
    }
  }

  /**
   * Runs a job once, and checks what it has found if it ended well.
   *
   * @param side on which it runs, whose name its log has
   * @param options of the runner on this side
   * @return empty when it failed or took too long
   */
  public Optional<Ended> observe(
      String side, Workload workload, List<String> jvmOptions, List<String> options)
      throws IOException, InterruptedException {
    Optional<Ended> ended =
        measure(
            logName(side),
            workload.program(),
            jvmOptions,
            Arguments.of(workload.arguments(), options));
    if (ended.isPresent()) {
      workload.check(side);
    }
    return ended;
  }

  /** What {@link #observe} tells a job to have cost. */
  public Optional<JobCost> run(
      String side, Workload workload, List<String> jvmOptions, List<String> options)
      throws IOException, InterruptedException {
    return observe(side, workload, jvmOptions, options).map(Ended::cost);
  }

  /** What to throw when a job on a side did not end well. */
  public ExperimentFailure failure(String side, Workload workload) {
    return new ExperimentFailure(
        "With %s, %s did not end well. Its log is %s.",
        side, workload.describe(), log(logName(side)));
  }

  private static String logName(String side) {
    return side.replaceAll("\\W+", "-");
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
