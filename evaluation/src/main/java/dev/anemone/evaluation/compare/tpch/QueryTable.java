// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.compare.tpch.TpchFigures.Run;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The runs of a comparison, one line per query and runner. */
final class QueryTable {
  private static final String NO_FIGURE = "-";

  private QueryTable() {}

  /**
   * The table. The last column says how much longer a runner takes than the first one, by the
   * medians; the last lines have the geometric means of that over the queries that both can do.
   *
   * @param runs at least one; the first runner is the one that the others are compared with
   */
  static String of(List<Run> runs) {
    List<String> sides = runs.stream().map(Run::side).distinct().toList();
    List<Integer> queries = runs.stream().map(Run::query).distinct().toList();
    String first = sides.get(0);
    MarkdownTable table =
        new MarkdownTable(
            "query", "runner", "runs", "median s", "min s", "max s", "user CPU s", "time / first");
    for (int query : queries) {
      for (String side : sides) {
        addRow(table, query, side, runs(runs, query, side), ratio(runs, query, first, side));
      }
    }
    for (String side : sides.subList(1, sides.size())) {
      List<Double> ratios = new ArrayList<>();
      for (int query : queries) {
        ratio(runs, query, first, side).ifPresent(ratios::add);
      }
      table.row(
          "geometric mean of " + ratios.size(),
          side,
          NO_FIGURE,
          NO_FIGURE,
          NO_FIGURE,
          NO_FIGURE,
          NO_FIGURE,
          ratios.isEmpty() ? NO_FIGURE : format(geometricMean(ratios)));
    }
    return table.toString();
  }

  private static void addRow(
      MarkdownTable table, int query, String side, List<Run> runs, OptionalDouble ratio) {
    String label = Integer.toString(query);
    String count = Integer.toString(runs.size());
    if (runs.isEmpty() || !runs.stream().allMatch(Run::succeeded)) {
      table.row(label, side, count, "failed", NO_FIGURE, NO_FIGURE, NO_FIGURE, NO_FIGURE);
      return;
    }
    Summary wall = Summary.of(runs.stream().mapToDouble(Run::wallSeconds).toArray());
    Summary cpu = Summary.of(runs.stream().mapToDouble(Run::userCpuSeconds).toArray());
    table.row(
        label,
        side,
        count,
        format(wall.median()),
        format(wall.min()),
        format(wall.max()),
        format(cpu.median()),
        ratio.isPresent() ? format(ratio.getAsDouble()) : NO_FIGURE);
  }

  private static OptionalDouble ratio(List<Run> runs, int query, String first, String side) {
    OptionalDouble reference = median(runs(runs, query, first));
    OptionalDouble other = median(runs(runs, query, side));
    return reference.isPresent() && other.isPresent()
        ? OptionalDouble.of(other.getAsDouble() / reference.getAsDouble())
        : OptionalDouble.empty();
  }

  private static OptionalDouble median(List<Run> runs) {
    return !runs.isEmpty() && runs.stream().allMatch(Run::succeeded)
        ? OptionalDouble.of(
            Summary.of(runs.stream().mapToDouble(Run::wallSeconds).toArray()).median())
        : OptionalDouble.empty();
  }

  private static double geometricMean(List<Double> values) {
    return Math.exp(values.stream().mapToDouble(Math::log).average().orElseThrow());
  }

  private static List<Run> runs(List<Run> runs, int query, String side) {
    return runs.stream().filter(run -> run.query() == query && run.side().equals(side)).toList();
  }

  private static String format(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
