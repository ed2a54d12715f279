// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.edges.TaskReads;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** The runs of the experiment as tables. */
final class SkewQ10Tables {
  /** Ids are a letter and a number, so the shorter one has the smaller number. */
  private static final Comparator<String> BY_EDGE =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  private SkewQ10Tables() {}

  /**
   * The times, a line per condition and policy. The last column says how much more or less than the
   * first policy under the same condition a policy takes, by the medians.
   */
  static MarkdownTable times(SkewQ10Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "reads",
            "policy",
            "slots",
            "runs",
            "job median s|%.2f",
            "min s|%.2f",
            "max s|%.2f",
            "user CPU s|%.2f",
            "job time|%+.1f %%");
    for (Condition condition : figures.conditions()) {
      double first =
          SkewQ10Figures.seconds(figures.of(figures.policies().get(0), condition)).median();
      for (String policy : figures.policies()) {
        var runs = figures.of(policy, condition);
        Summary job = SkewQ10Figures.seconds(runs);
        table.row(
            condition.name(),
            policy,
            condition.slots(),
            runs.size(),
            job.median(),
            job.min(),
            job.max(),
            Summary.of(runs, run -> run.cost().userCpuSeconds()).median(),
            100 * (job.median() / first - 1));
      }
    }
    return table;
  }

  /**
   * What consumer tasks read, a line per edge with several of them and per policy; of several runs
   * that in which the busiest task is farthest from the mean.
   */
  static MarkdownTable reads(SkewQ10Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "edge", "policy", "tasks", "MB|%.2f", "mean MB|%.2f", "max MB|%.2f", "max/mean|%.2f");
    Map<String, Map<String, TaskReads>> byEdge = new TreeMap<>(BY_EDGE);
    for (SkewQ10Figures.Run run : figures.runs()) {
      run.edges()
          .reads()
          .forEach(
              (edge, reads) -> {
                if (reads.tasks() > 1) {
                  byEdge
                      .computeIfAbsent(edge, id -> new TreeMap<>())
                      .merge(run.policy(), reads, SkewQ10Tables::moreSkewed);
                }
              });
    }
    byEdge.forEach(
        (edge, byPolicy) -> {
          for (String policy : figures.policies()) {
            TaskReads reads = byPolicy.get(policy);
            if (reads != null) {
              table.row(
                  edge,
                  policy,
                  reads.tasks(),
                  reads.bytes() / 1e6,
                  reads.bytes() / 1e6 / reads.tasks(),
                  reads.most() / 1e6,
                  reads.maxToMean());
            }
          }
        });
    return table;
  }

  private static TaskReads moreSkewed(TaskReads one, TaskReads other) {
    return one.maxToMean() >= other.maxToMean() ? one : other;
  }
}
