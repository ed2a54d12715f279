// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.diskbatching;

import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;
import java.util.Locale;

/** The runs of the experiment, one line per policy and condition. */
final class DiskBatchingTable {
  private DiskBatchingTable() {}

  /**
   * The table. The last column says how many times faster a policy is than the first one under the
   * same condition, by the medians.
   */
  static String of(DiskBatchingFigures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "disk", "policy", "runs", "median s", "min s", "max s", "seeks", "MB read", "speedup");
    List<String> policies =
        figures.runs().stream().map(DiskBatchingFigures.Run::policy).distinct().toList();
    for (boolean throttled : List.of(true, false)) {
      double first = DiskBatchingFigures.seconds(figures.of(policies.get(0), throttled)).median();
      for (String policy : policies) {
        addRow(table, figures.of(policy, throttled), first);
      }
    }
    return table.toString();
  }

  private static void addRow(
      MarkdownTable table, List<DiskBatchingFigures.Run> runs, double firstMedian) {
    DiskBatchingFigures.Run run = runs.get(0);
    Summary wall = DiskBatchingFigures.seconds(runs);
    table.row(
        run.throttled() ? "throttled" : "as it is",
        run.policy(),
        Integer.toString(runs.size()),
        format("%.2f", wall.median()),
        format("%.2f", wall.min()),
        format("%.2f", wall.max()),
        String.format(Locale.ROOT, "%,d", run.seeks()),
        format("%.1f", run.readBytes() / 1e6),
        format("%.2f", firstMedian / wall.median()));
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
