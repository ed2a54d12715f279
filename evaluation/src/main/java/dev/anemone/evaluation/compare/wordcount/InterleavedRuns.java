// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.DirectoryTree;
import dev.anemone.evaluation.lab.data.TrueCounts;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.examples.wordcount.WordCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs the word count on several runners in turn, round after round, each run in a fresh JVM. What
 * slows the machine down for a while then hits all runners, and not the one whose turn it was.
 *
 * <p>Every result is compared with the true counts. A runner that has failed once has no further
 * runs: there is nothing left to measure.
 */
final class InterleavedRuns {
  private static final String OUTPUT_PREFIX = "counts";
  private static final int LOG_LINES = 15;

  private final Path text;
  private final TrueCounts trueCounts;
  private final Path directory;
  private final List<String> jvmOptions;
  private final Duration deadline;

  /**
   * @param text to count: a file, or a pattern
   * @param trueCounts of the text
   * @param directory for logs and passing files; made if missing
   * @param jvmOptions that every runner gets
   * @param deadline of a run, after which it is killed
   */
  InterleavedRuns(
      Path text,
      TrueCounts trueCounts,
      Path directory,
      List<String> jvmOptions,
      Duration deadline) {
    this.text = text;
    this.trueCounts = trueCounts;
    this.directory = directory;
    this.jvmOptions = jvmOptions;
    this.deadline = deadline;
  }

  /**
   * Runs all runners in every round, in the order given.
   *
   * @param finished is told of every run as soon as it has been checked
   * @return all runs in the order in which they ran
   * @throws IOException if a file cannot be read or written, or no JVM can be started
   */
  List<MeasuredRun> run(List<RunnerSetup> runners, int rounds, Consumer<MeasuredRun> finished)
      throws IOException, InterruptedException {
    List<MeasuredRun> runs = new ArrayList<>();
    Set<String> failed = new HashSet<>();
    for (int round = 1; round <= rounds; round++) {
      for (RunnerSetup runner : runners) {
        if (failed.contains(runner.name())) {
          continue;
        }
        MeasuredRun run = run(runner, round);
        if (!run.isCorrect()) {
          failed.add(runner.name());
        }
        runs.add(run);
        finished.accept(run);
      }
    }
    return runs;
  }

  private MeasuredRun run(RunnerSetup runner, int round) throws IOException, InterruptedException {
    String name = String.format(Locale.ROOT, "%s-%d", runner.name(), round);
    Path log = directory.resolve(name + ".log");
    Path work = directory.resolve(name);
    DirectoryTree.delete(work);
    Files.createDirectories(work.resolve("tmp"));
    try {
      double load = Machine.load();
      ProcessFigures figures =
          MeasuredProcess.run(program(runner, work).command(), work, log, deadline);
      return new MeasuredRun(runner.name(), round, load, figures, outcome(figures, work, log));
    } finally {
      DirectoryTree.delete(work);
    }
  }

  private JavaProgram program(RunnerSetup runner, Path work) {
    List<String> allJvmOptions = new ArrayList<>(jvmOptions);
    allJvmOptions.addAll(runner.jvmOptions());
    allJvmOptions.add("-Djava.io.tmpdir=" + work.resolve("tmp"));
    List<String> arguments = new ArrayList<>(runner.pipelineOptions());
    arguments.add("--input=" + text);
    arguments.add("--output=" + work.resolve(OUTPUT_PREFIX));
    return new JavaProgram(WordCount.class.getName(), runner.classPath(), allJvmOptions, arguments);
  }

  private Outcome outcome(ProcessFigures figures, Path work, Path log) throws IOException {
    if (figures.exitCode().isEmpty()) {
      return new Outcome.Killed(deadline);
    }
    if (!figures.succeeded()) {
      return new Outcome.Failed(
          figures.exitCode().getAsInt(), MeasuredProcess.lastMessages(log, LOG_LINES));
    }
    String differences = trueCounts.differences(work, OUTPUT_PREFIX);
    return differences.isEmpty() ? new Outcome.Correct() : new Outcome.Wrong(differences);
  }
}
