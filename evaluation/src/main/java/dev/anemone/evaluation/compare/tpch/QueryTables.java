// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.tpch;

import dev.anemone.evaluation.compare.tpch.TpchComparison.WarmRun;
import dev.anemone.evaluation.compare.tpch.TpchComparison.WholeRun;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.ArrayList;
import java.util.List;

/** The runs of a comparison as tables. */
final class QueryTables {
  private QueryTables() {}

  /** A line for each query with a median for each side; their sums, and those beside the first. */
  static MarkdownTable warm(List<String> sides, List<WarmRun> runs) {
    List<String> columns = new ArrayList<>(List.of("query"));
    sides.forEach(side -> columns.add(side + "|%.2f"));
    MarkdownTable table = new MarkdownTable(columns);
    List<Double> sums = new ArrayList<>();
    for (String side : sides) {
      sums.add(sum(runs, side));
    }
    for (int query : queries(runs)) {
      row(table, query, sides.stream().map(side -> median(runs, query, side)).toList());
    }
    row(table, "sum", sums);
    row(table, "sum / first", sums.stream().map(sum -> sum / sums.get(0)).toList());
    return table;
  }

  /** The sum of a side's medians, in seconds. */
  static double sum(List<WarmRun> runs, String side) {
    return queries(runs).stream().mapToDouble(query -> median(runs, query, side)).sum();
  }

  private static void row(MarkdownTable table, Object name, List<Double> figures) {
    List<Object> cells = new ArrayList<>(List.of(name));
    cells.addAll(figures);
    table.row(cells.toArray());
  }

  private static List<Integer> queries(List<WarmRun> runs) {
    return runs.stream().map(WarmRun::query).distinct().toList();
  }

  private static double median(List<WarmRun> runs, int query, String side) {
    List<WarmRun> its =
        runs.stream().filter(run -> run.query() == query && run.side().equals(side)).toList();
    return Summary.of(its, WarmRun::seconds).median();
  }

  /** A line for each query and side. */
  static MarkdownTable whole(List<String> sides, List<WholeRun> runs) {
    MarkdownTable table =
        new MarkdownTable(
            "process of query; side; median s|%.2f; min s|%.2f; max s|%.2f; user CPU s|%.2f");
    for (int query : runs.stream().map(WholeRun::query).distinct().toList()) {
      for (String side : sides) {
        List<WholeRun> its =
            runs.stream().filter(run -> run.query() == query && run.side().equals(side)).toList();
        table.row(
            query,
            side,
            Summary.of(its, run -> run.cost().wallSeconds()),
            Summary.of(its, run -> run.cost().userCpuSeconds()).median());
      }
    }
    return table;
  }
}
