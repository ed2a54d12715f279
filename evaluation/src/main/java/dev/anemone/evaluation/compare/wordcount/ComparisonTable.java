// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.process.ProcessFigures;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The runs of a comparison, one line per runner. */
final class ComparisonTable {
  private static final String NO_FIGURE = "-";
  private static final double MEGABYTE = 1e6;

  private ComparisonTable() {}

  /**
   * The table, with the runners in the order of their first runs. The first one is the one that the
   * others are compared with: the last column says which part of their median time it takes.
   */
  static String of(List<MeasuredRun> runs) {
    Map<String, List<MeasuredRun>> byRunner = new LinkedHashMap<>();
    for (MeasuredRun run : runs) {
      byRunner.computeIfAbsent(run.runner(), runner -> new ArrayList<>()).add(run);
    }
    String first = byRunner.keySet().iterator().next();
    OptionalDouble firstMedian = medianSeconds(byRunner.get(first));
    MarkdownTable table =
        new MarkdownTable(
            "runner",
            "runs",
            "median s",
            "min s",
            "max s",
            "user CPU s",
            "peak MB",
            first + "'s time / this");
    byRunner.forEach((runner, itsRuns) -> addRow(table, runner, itsRuns, firstMedian));
    return table.toString();
  }

  private static void addRow(
      MarkdownTable table, String runner, List<MeasuredRun> runs, OptionalDouble firstMedian) {
    String count = Integer.toString(runs.size());
    if (!runs.stream().allMatch(MeasuredRun::isCorrect)) {
      String outcome = label(runs.get(runs.size() - 1).outcome());
      table.row(runner, count, outcome, NO_FIGURE, NO_FIGURE, NO_FIGURE, NO_FIGURE, NO_FIGURE);
      return;
    }
    Summary wall = summary(runs, figures -> seconds(figures.wall()));
    Summary userCpu = summary(runs, figures -> seconds(figures.userCpu()));
    Summary peak = summary(runs, figures -> figures.peakResidentBytes() / MEGABYTE);
    table.row(
        runner,
        count,
        format("%.2f", wall.median()),
        format("%.2f", wall.min()),
        format("%.2f", wall.max()),
        format("%.2f", userCpu.median()),
        format("%.0f", peak.median()),
        firstMedian.isPresent()
            ? format("%.2f", firstMedian.getAsDouble() / wall.median())
            : NO_FIGURE);
  }

  private static String label(Outcome outcome) {
    if (outcome instanceof Outcome.Killed killed) {
      return killed.description();
    }
    return outcome instanceof Outcome.Wrong ? "wrong" : "failed";
  }

  private static OptionalDouble medianSeconds(List<MeasuredRun> runs) {
    return runs.stream().allMatch(MeasuredRun::isCorrect)
        ? OptionalDouble.of(summary(runs, figures -> seconds(figures.wall())).median())
        : OptionalDouble.empty();
  }

  private static Summary summary(List<MeasuredRun> runs, ToDoubleFunction<ProcessFigures> figure) {
    return Summary.of(runs.stream().map(MeasuredRun::figures).mapToDouble(figure).toArray());
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
