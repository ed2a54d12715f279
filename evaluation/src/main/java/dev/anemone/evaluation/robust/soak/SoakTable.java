// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.soak;

import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;
import java.util.Locale;

/** What has come of the jobs, one line for each fault. */
final class SoakTable {
  private SoakTable() {}

  /** The table. */
  static String of(SoakFigures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "fault", "jobs", "happened", "right", "wrong", "failed", "hung", "median s", "max s");
    for (SoakFault fault : SoakFault.values()) {
      addRow(
          table,
          fault.words(),
          figures.jobs().stream().filter(job -> job.fault() == fault).toList());
    }
    addRow(table, "all", figures.jobs());
    return table.toString();
  }

  private static void addRow(MarkdownTable table, String name, List<SoakFigures.Job> jobs) {
    if (jobs.isEmpty()) {
      return;
    }
    Summary seconds = Summary.of(jobs.stream().mapToDouble(SoakFigures.Job::seconds).toArray());
    table.row(
        name,
        Integer.toString(jobs.size()),
        Long.toString(jobs.stream().filter(SoakFigures.Job::happened).count()),
        count(jobs, SoakFigures.Outcome.RIGHT),
        count(jobs, SoakFigures.Outcome.WRONG),
        count(jobs, SoakFigures.Outcome.FAILED),
        count(jobs, SoakFigures.Outcome.HUNG),
        String.format(Locale.ROOT, "%.1f", seconds.median()),
        String.format(Locale.ROOT, "%.1f", seconds.max()));
  }

  private static String count(List<SoakFigures.Job> jobs, SoakFigures.Outcome outcome) {
    return Long.toString(jobs.stream().filter(job -> job.outcome() == outcome).count());
  }
}
