// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.data.Corpus;
import dev.anemone.evaluation.lab.data.TrueCounts;
import dev.anemone.evaluation.lab.process.JavaProgram;
import dev.anemone.evaluation.lab.process.MeasuredProcess;
import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import dev.anemone.evaluation.lab.workload.PolicyOptions.Side;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.lee.LoggedRun.Consumer;
import dev.anemone.examples.wordcount.WordCount;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The runs of Figures 5.1 and 5.2: a word count whose shuffle is read in parts so small that a disk
 * mostly moves its head, without and with batches of reads, and both without a charge for seeks.
 *
 * @param size of the word count
 * @param runs of all sides, in the order of their rounds
 */
record CountedWords(Size size, List<Run> runs) {
  private static final int DISTINCT_WORDS = 500_000;
  private static final Duration DEADLINE = Duration.ofMinutes(15);

  /**
   * @param tasks producers, and as many consumers
   * @param seekMillis that a disk of 7,200 turns a minute takes to find its place
   */
  record Size(long bytes, int tasks, int seekMillis, int rounds) {
    static final Size SMALL = new Size(200_000_000, 60, 8, 3);
    static final Size FULL = new Size(1_000_000_000, 120, 8, 5);

    String setUp() {
      return String.format(
          Locale.ROOT,
          "A text of %,d MB, %d producers and %d consumers, %d runs. A seek is charged %d ms, one"
              + " after the other, as on one disk; the paper has 1 TB and eleven machines of two"
              + " disks.",
          bytes / 1_000_000,
          tasks,
          tasks,
          rounds,
          seekMillis);
    }
  }

  record Run(String policy, boolean charged, Consumer shuffle) {}

  static CountedWords of(FigureRun figures) throws Exception {
    return figures.once(
        CountedWords.class, () -> measure(figures, figures.isFull() ? Size.FULL : Size.SMALL));
  }

  static CountedWords measure(FigureRun figures, Size size)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(figures.directory().resolve("counted-words"));
    Corpus corpus = Corpus.of(directory.resolve("corpus"), size.bytes(), DISTINCT_WORDS, 1);
    Path input = corpus.inFiles(size.tasks());
    Corpus.load(input);
    TrueCounts right = TrueCounts.read(corpus.counts());
    List<Run> runs = new ArrayList<>();
    for (int round = 0; round < size.rounds(); round++) {
      for (boolean charged : List.of(true, false)) {
        for (String policy : order(round)) {
          Path work = directory.resolve(policy + (charged ? "-charged-" : "-") + round);
          Consumer shuffle = run(figures, size, policy, charged, input, right, work);
          figures.progress(
              String.format(
                  Locale.ROOT,
                  "%s, round %d, %s: %.1f s and %.1f s",
                  charged ? "seeks charged" : "disk as it is",
                  round + 1,
                  policy,
                  shuffle.producingSeconds(),
                  shuffle.consumingSeconds()));
          runs.add(new Run(policy, charged, shuffle));
        }
      }
    }
    return new CountedWords(size, List.copyOf(runs));
  }

  private static List<String> order(int round) {
    return round % 2 == 0
        ? List.of(Side.DEFAULT, Side.LARGE_SHUFFLE)
        : List.of(Side.LARGE_SHUFFLE, Side.DEFAULT);
  }

  private static Consumer run(
      FigureRun figures,
      Size size,
      String policy,
      boolean charged,
      Path input,
      TrueCounts right,
      Path work)
      throws IOException, InterruptedException {
    FileTrees.delete(work);
    Path temporary = Files.createDirectories(work.resolve("tmp"));
    Path log = work.resolveSibling(work.getFileName() + ".log");
    List<String> options = new ArrayList<>(NemoJvm.options());
    options.add("-Xmx2g");
    options.add("-Djava.io.tmpdir=" + temporary);
    if (charged) {
      options.add("-D" + ChargesAsAsked.SEEK_PROPERTY + "=" + size.seekMillis() * 1000);
    }
    JavaProgram program =
        JavaProgram.of(
            WordCount.class,
            figures.evaluation().ownClassPath(),
            options,
            "--runner=NemoRunner",
            "--progress=off",
            "--input=" + input,
            "--output=" + work.resolve("counts"),
            "--optimizationPolicy=" + policy,
            "--parallelism=" + size.tasks(),
            "--passOptions=targetBytesPerTask=1",
            "--tempDirectory=" + temporary,
            "--eventLog=" + work.resolve("events"));
    try {
      MeasuredProcess.run(program.command(), work, log, DEADLINE)
          .requireSuccess("The word count with " + policy);
      String differences = right.differences(work, "counts");
      if (!differences.isEmpty()) {
        throw new ExperimentFailure(
            "The word count with %s is wrong, so its figures mean nothing: %s",
            policy, differences);
      }
      return LoggedRun.in(work.resolve("events")).busiestConsumer();
    } finally {
      FileTrees.delete(work);
    }
  }

  /** The shuffles of one side. */
  List<Consumer> shuffles(String policy, boolean charged) {
    return runs.stream()
        .filter(run -> run.policy().equals(policy) && run.charged() == charged)
        .map(Run::shuffle)
        .toList();
  }
}
