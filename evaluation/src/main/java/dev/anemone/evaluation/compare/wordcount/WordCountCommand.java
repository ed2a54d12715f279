// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.data.Corpus;
import dev.anemone.evaluation.lab.data.TrueCounts;
import dev.anemone.evaluation.lab.experiment.ExperimentCommand;
import dev.anemone.evaluation.lab.experiment.ProgramOptions;
import dev.anemone.evaluation.lab.experiment.Runs;
import dev.anemone.evaluation.lab.experiment.TextOptions;
import dev.anemone.evaluation.lab.peer.InterleavedRuns;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.RunnerSetup;
import dev.anemone.evaluation.lab.report.Circumstances.Machine;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.examples.wordcount.WordCount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.beam.sdk.util.ReleaseInfo;
import picocli.CommandLine.Mixin;

/** Counts the words of a generated text with runners, or set-ups of one, in turn. */
abstract class WordCountCommand extends ExperimentCommand {
  private static final String OUTPUT_PREFIX = "counts";

  @Mixin private TextOptions text = new TextOptions("200m");
  @Mixin private Runs runs = new Runs(3);

  record Figures(
      String beamVersion,
      long textBytes,
      long words,
      int distinctWords,
      List<String> jvmOptions,
      List<MeasuredRun> runs) {}

  /** A text, as a file or a pattern, whose words are counted. */
  record Counting(Path input, TrueCounts trueCounts) implements InterleavedRuns.Work {
    @Override
    public List<String> arguments(Path work) {
      return List.of("--input=" + input, "--output=" + work.resolve(OUTPUT_PREFIX));
    }

    @Override
    public Optional<String> problem(Path work) throws IOException {
      String differences = trueCounts.differences(work, OUTPUT_PREFIX);
      return differences.isEmpty() ? Optional.empty() : Optional.of("wrong: " + differences);
    }
  }

  final TextOptions text() {
    return text;
  }

  /** Runs all on a text in some files, and publishes; returns whether all were correct. */
  final boolean compare(int files, List<RunnerSetup> runners, ProgramOptions programs)
      throws IOException, InterruptedException {
    Corpus corpus = text.corpus(directory());
    TrueCounts trueCounts = TrueCounts.read(corpus.counts());
    Path input = files == 1 ? corpus.text() : corpus.inFiles(files);
    long textBytes = Corpus.load(input);
    warnIfBusy();
    List<MeasuredRun> finished =
        new InterleavedRuns(
                directory(), WordCount.class, programs.chosenJvmOptions(), programs.deadline())
            .run(
                new Counting(input, trueCounts),
                runners,
                runs.count(),
                run ->
                    progress(
                        "round %d, %s: %.2f s, %s",
                        run.round(), run.runner(), run.cost().wallSeconds(), run.outcome()));
    Figures figures =
        new Figures(
            ReleaseInfo.getReleaseInfo().getVersion(),
            textBytes,
            trueCounts.words(),
            trueCounts.distinctWords(),
            programs.chosenJvmOptions(),
            finished);
    publish(
        figures,
        text(
            "Word count, %,d bytes, %,d words, %,d distinct; Beam %s; %s",
            figures.textBytes(),
            figures.words(),
            figures.distinctWords(),
            figures.beamVersion(),
            String.join(" ", figures.jvmOptions())),
        table(finished));
    return finished.stream().allMatch(MeasuredRun::succeeded);
  }

  private void warnIfBusy() {
    Machine machine = circumstances().machine();
    double load = Machine.load();
    if (machine.isBusy(load)) {
      progress(
          "Other programs keep this machine busy (load %.1f on %d processors): the figures will say"
              + " more about them than about the runners.",
          load, machine.processors());
    }
  }

  /** One line per runner; the last column says which part of its time the first one takes. */
  static MarkdownTable table(List<MeasuredRun> runs) {
    List<String> runners = runs.stream().map(MeasuredRun::runner).distinct().toList();
    MarkdownTable table =
        new MarkdownTable(
            "runner; runs; median s|%.2f; min s|%.2f; max s|%.2f; user CPU s|%.2f; peak MB|%.0f; "
                + runners.get(0)
                + "'s time / this|%.2f");
    OptionalDouble first = OptionalDouble.empty();
    for (String runner : runners) {
      List<MeasuredRun> its = runs.stream().filter(run -> run.runner().equals(runner)).toList();
      if (its.stream().allMatch(MeasuredRun::succeeded)) {
        Summary wall = Summary.of(its, run -> run.cost().wallSeconds());
        if (runner.equals(runners.get(0))) {
          first = OptionalDouble.of(wall.median());
        }
        table.row(
            runner,
            its.size(),
            wall,
            Summary.of(its, run -> run.cost().userCpuSeconds()).median(),
            Summary.of(its, run -> run.cost().peakMegabytes()).median(),
            first.isPresent() ? (Object) (first.getAsDouble() / wall.median()) : "-");
      } else {
        String outcome = its.get(its.size() - 1).shortOutcome();
        table.row(runner, its.size(), outcome, "-", "-", "-", "-", "-");
      }
    }
    return table;
  }
}
