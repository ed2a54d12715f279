// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.compare.tpch.TpchComparison.Run;
import dev.anemone.evaluation.lab.peer.InterleavedRuns.MeasuredRun;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.OptionalDouble;

/** The runs of a comparison, one line per query and runner. */
final class QueryTable {
  private QueryTable() {}

  /** Compares with the first runner; the last lines have the geometric means of that. */
  static MarkdownTable of(List<Run> runs) {
    List<String> sides = runs.stream().map(run -> run.run().runner()).distinct().toList();
    List<Integer> queries = runs.stream().map(Run::query).distinct().toList();
    MarkdownTable table =
        new MarkdownTable(
            "query; runner; runs; median s|%.2f; min s|%.2f; max s|%.2f; user CPU s|%.2f; "
                + "time / first|%.2f");
    for (int query : queries) {
      for (String side : sides) {
        OptionalDouble ratio = ratio(runs, query, sides.get(0), side);
        List<MeasuredRun> its = runs(runs, query, side);
        if (median(its).isEmpty()) {
          table.row(query, side, its.size(), "failed", "-", "-", "-", "-");
        } else {
          Summary wall = Summary.of(its, run -> run.cost().wallSeconds());
          double cpu = Summary.of(its, run -> run.cost().userCpuSeconds()).median();
          table.row(query, side, its.size(), wall, cpu, ratio);
        }
      }
    }
    for (String side : sides.subList(1, sides.size())) {
      DoubleSummaryStatistics logarithms =
          queries.stream()
              .map(query -> ratio(runs, query, sides.get(0), side))
              .flatMapToDouble(OptionalDouble::stream)
              .map(Math::log)
              .summaryStatistics();
      Object mean = logarithms.getCount() == 0 ? "-" : Math.exp(logarithms.getAverage());
      String name = "geometric mean of " + logarithms.getCount();
      table.row(name, side, "-", "-", "-", "-", "-", mean);
    }
    return table;
  }

  private static OptionalDouble ratio(List<Run> runs, int query, String first, String side) {
    OptionalDouble reference = median(runs(runs, query, first));
    OptionalDouble other = median(runs(runs, query, side));
    return reference.isPresent() && other.isPresent()
        ? OptionalDouble.of(other.getAsDouble() / reference.getAsDouble())
        : OptionalDouble.empty();
  }

  private static OptionalDouble median(List<MeasuredRun> runs) {
    return !runs.isEmpty() && runs.stream().allMatch(MeasuredRun::succeeded)
        ? OptionalDouble.of(Summary.of(runs, run -> run.cost().wallSeconds()).median())
        : OptionalDouble.empty();
  }

  private static List<MeasuredRun> runs(List<Run> runs, int query, String side) {
    return runs.stream()
        .filter(run -> run.query() == query && run.run().runner().equals(side))
        .map(Run::run)
        .toList();
  }
}
