// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.EvaluationDirectory;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs a program on several runners in turn, round after round, each run in a fresh JVM. What slows
 * the machine down for a while then hits all runners, and not the one whose turn it was.
 *
 * <p>Every result is checked. A runner that has failed once has no further runs: there is nothing
 * left to measure.
 */
public record InterleavedRuns(
    Path directory, Class<?> program, List<String> jvmOptions, Duration deadline) {
  public interface Work {
    /** What the runs are called in logs, before the runner's name. */
    default String prefix() {
      return "";
    }

    /** The program's arguments beside those of the runner, and where its result goes. */
    List<String> arguments(Path work);

    /** What is wrong with the result in a directory; empty when it is right. */
    Optional<String> problem(Path work) throws IOException;
  }

  /** Runs all in every round, in the order given, and says so of each; returns all in order. */
  public List<MeasuredRun> run(
      Work work, List<RunnerSetup> runners, int rounds, Consumer<MeasuredRun> finished)
      throws IOException, InterruptedException {
    List<MeasuredRun> runs = new ArrayList<>();
    Set<String> failed = new HashSet<>();
    for (int round = 1; round <= rounds; round++) {
      for (RunnerSetup runner : runners) {
        if (!failed.contains(runner.name())) {
          MeasuredRun run = run(work, runner, round);
          if (!run.succeeded()) {
            failed.add(runner.name());
          }
          runs.add(run);
          finished.accept(run);
        }
      }
    }
    return runs;
  }

  private MeasuredRun run(Work work, RunnerSetup runner, int round)
      throws IOException, InterruptedException {
    Path passing = directory.resolve(work.prefix() + runner.name() + "-" + round);
    FileTrees.delete(passing);
    Path temporary = Files.createDirectories(passing.resolve("tmp"));
    try {
      double load = Machine.load();
      JavaProgram java =
          runner
              .program(program, jvmOptions, work.arguments(passing))
              .withJvmOptions("-Djava.io.tmpdir=" + temporary);
      ProcessFigures figures =
          MeasuredProcess.run(
              java.command(),
              passing,
              passing.resolveSibling(passing.getFileName() + ".log"),
              deadline);
      Optional<String> problem = figures.problem();
      if (problem.isEmpty()) {
        problem = work.problem(passing);
      }
      return new MeasuredRun(
          runner.name(), round, load, problem.orElse(MeasuredRun.CORRECT), figures.cost());
    } finally {
      FileTrees.delete(passing);
    }
  }

  /** A run; only the cost of a correct one means anything. An unknown load is negative. */
  public record MeasuredRun(
      String runner, int round, double loadBefore, String outcome, ProcessCost cost) {
    /** The outcome of a run with a right answer. */
    public static final String CORRECT = "correct";

    public boolean succeeded() {
      return outcome.equals(CORRECT);
    }

    /** The outcome in a few words, for a table. */
    public String shortOutcome() {
      return outcome.startsWith("killed") ? outcome : outcome.split("[ :]", 2)[0];
    }
  }

  /** A runner's name for tables, and what a program's command has for it beside its own. */
  public record RunnerSetup(
      String name, String classPath, List<String> jvmOptions, List<String> arguments) {
    /** NemoRunner, under its own name or that of a policy. */
    public static RunnerSetup nemo(
        String name, EvaluationDirectory evaluation, List<String> options) throws IOException {
      List<String> arguments = Arguments.of("--runner=NemoRunner", "--progress=off", options);
      return new RunnerSetup(name, evaluation.nemoClassPath(), NemoJvm.options(), arguments);
    }

    public RunnerSetup withJvmOptions(List<String> more) {
      return new RunnerSetup(name, classPath, Arguments.of(jvmOptions, more), arguments);
    }

    /** A program on this runner, with options of the JVM and arguments of all. */
    public JavaProgram program(Class<?> program, List<String> everyJvm, List<String> more) {
      return JavaProgram.of(
          program, classPath, Arguments.of(everyJvm, jvmOptions), arguments, more);
    }
  }
}
