// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.lee;

import dev.anemone.evaluation.compare.skewq10.QueryProgram;
import dev.anemone.evaluation.compare.skewq10.QueryProgram.QueryReport;
import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.lab.NemoJvm;
import dev.anemone.evaluation.lab.experiment.TpchOptions;
import dev.anemone.evaluation.lab.process.Arguments;
import dev.anemone.evaluation.lab.process.ReportingProcess;
import dev.anemone.evaluation.lab.process.ReportingProcess.Reported;
import dev.anemone.evaluation.lab.process.ReportingProcess.Setting;
import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import dev.anemone.evaluation.papers.figure.FigureRun;
import dev.anemone.evaluation.papers.lee.LoggedRun.Consumer;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * The runs of Figures 5.4 and 5.5: Q10 on skewed data, in rows and with every join by a shuffle as
 * the paper's Beam SQL had it, under each pass alone and under both.
 *
 * @param size of the query
 * @param runs of all policies, in the order of their rounds
 */
record SkewedQueries(Size size, List<Run> runs) {
  static final String DEFAULT = "Default";
  static final String BOTH = "SamplingLargeShuffleSkew";

  private static final String SKEW_ALONE = "DataSkew";

  static final List<String> POLICIES = List.of(DEFAULT, "LargeShuffle", SKEW_ALONE, BOTH);

  private static final List<String> SAMPLING = List.of(SKEW_ALONE, BOTH);

  private static final int QUERY = 10;
  private static final int TASKS = 8;
  private static final Duration DEADLINE = Duration.ofMinutes(15);

  /** What the customers of orders are read by. */
  private static final String CUSTOMERS = "Read customer";

  /**
   * @param linkBytesPerSecond of each task, so that whoever reads most takes longest
   * @param seekMillis that a disk of 7,200 turns a minute takes to find its place
   */
  record Size(double scale, int linkBytesPerSecond, int seekMillis, int rounds) {
    static final Size SMALL = new Size(0.1, 150_000, 8, 3);
    static final Size FULL = new Size(1, 1_500_000, 8, 5);

    String setUp() {
      return String.format(
          Locale.ROOT,
          "TPC-H Q10 at scale %s with skew %s, %d tasks of a stage, all at a time, %d runs. A task"
              + " reads over a link of %,d kB/s, and a seek is charged %d ms, as on one disk; joins"
              + " are not broadcast, and partitions are 8 for each task. The paper has JCC-H at"
              + " scale 100 and four machines.",
          scale,
          LeeFigures.SKEW,
          TASKS,
          rounds,
          linkBytesPerSecond / 1000,
          seekMillis);
    }
  }

  record Run(String policy, double jobSeconds, Consumer join) {}

  static SkewedQueries of(FigureRun figures) throws Exception {
    return figures.once(
        SkewedQueries.class, () -> measure(figures, figures.isFull() ? Size.FULL : Size.SMALL));
  }

  static SkewedQueries measure(FigureRun figures, Size size)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(figures.directory().resolve("skewed-queries"));
    TpchDataSet data =
        TpchDataSet.open(
            TpchOptions.directory(figures.evaluation(), size.scale(), LeeFigures.SKEW),
            size.scale(),
            LeeFigures.SKEW);
    ReportingProcess process =
        new ReportingProcess(
            directory,
            figures.evaluation().ownClassPath(),
            Arguments.of("-Xmx2g", NemoJvm.options()),
            DEADLINE);
    String answer = null;
    List<Run> runs = new ArrayList<>();
    for (int round = 0; round < size.rounds(); round++) {
      List<String> order = new ArrayList<>(POLICIES);
      Collections.rotate(order, round);
      for (String policy : order) {
        Path events = directory.resolve(policy + "-events");
        FileTrees.delete(events);
        Reported<QueryReport> reported =
            process.run(
                policy,
                QueryProgram.class,
                arguments(data, size, policy, events),
                QueryReport.class,
                setting(size));
        String rows = reported.report().rows();
        if (answer != null && !rows.equals(answer)) {
          throw new ExperimentFailure(
              "With %s the answer is another one, so its figures mean nothing:%n%s"
                  + "instead of%n%sIts log is %s.",
              policy, rows, answer, reported.log());
        }
        answer = rows;
        double seconds = reported.report().jobMilliseconds() / 1e3;
        figures.progress(
            String.format(Locale.ROOT, "Q10, round %d, %s: %.1f s", round + 1, policy, seconds));
        runs.add(new Run(policy, seconds, LoggedRun.in(events).consumerOf(CUSTOMERS)));
      }
    }
    return new SkewedQueries(size, List.copyOf(runs));
  }

  private static List<String> arguments(TpchDataSet data, Size size, String policy, Path events) {
    return Arguments.of(
        "--query=" + QUERY,
        "--scale=" + size.scale(),
        "--skew=" + LeeFigures.SKEW,
        "--data=" + data.directory(),
        "--columnar=off",
        "--broadcastJoinBytes=0",
        "--slots=" + TASKS,
        "--parallelism=" + TASKS,
        SAMPLING.contains(policy) ? List.of("--passOptions=keyRangeMultiplier=8") : List.of(),
        "--optimizationPolicy=" + policy,
        "--eventLog=" + events);
  }

  private static Setting setting(Size size) {
    return new Setting(
        List.of(
            "-D" + ChargesAsAsked.LINK_PROPERTY + "=" + size.linkBytesPerSecond(),
            "-D" + ChargesAsAsked.SEEK_PROPERTY + "=" + size.seekMillis() * 1000),
        UnaryOperator.identity());
  }

  /** The runs under a policy. */
  List<Run> under(String policy) {
    return runs.stream().filter(run -> run.policy().equals(policy)).toList();
  }
}
