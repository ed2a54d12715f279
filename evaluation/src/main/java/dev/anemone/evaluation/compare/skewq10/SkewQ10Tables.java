// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.edges.TaskReads;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.Comparator;
import java.util.Locale;
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
  static String times(SkewQ10Figures figures) {
    MarkdownTable table =
        new MarkdownTable(
            "reads",
            "policy",
            "slots",
            "runs",
            "job median s",
            "min s",
            "max s",
            "user CPU s",
            "job time");
    for (Condition condition : figures.conditions()) {
      double first =
          SkewQ10Figures.seconds(figures.of(figures.policies().get(0), condition)).median();
      for (String policy : figures.policies()) {
        var runs = figures.of(policy, condition);
        Summary job = SkewQ10Figures.seconds(runs);
        double cpu =
            Summary.of(runs.stream().mapToDouble(SkewQ10Figures.Run::userCpuSeconds).toArray())
                .median();
        table.row(
            condition.name(),
            policy,
            Integer.toString(condition.slots()),
            Integer.toString(runs.size()),
            format("%.2f", job.median()),
            format("%.2f", job.min()),
            format("%.2f", job.max()),
            format("%.2f", cpu),
            format("%+.1f %%", 100 * (job.median() / first - 1)));
      }
    }
    return table.toString();
  }

  /**
   * What consumer tasks read, a line per edge with several of them and per policy; of several runs
   * that in which the busiest task is farthest from the mean.
   */
  static String reads(SkewQ10Figures figures) {
    MarkdownTable table =
        new MarkdownTable("edge", "policy", "tasks", "MB", "mean MB", "max MB", "max/mean");
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
                  Long.toString(reads.tasks()),
                  megabytes((double) reads.bytes()),
                  megabytes(reads.bytes() / (double) reads.tasks()),
                  megabytes((double) reads.most()),
                  format("%.2f", reads.maxToMean()));
            }
          }
        });
    return table.toString();
  }

  private static TaskReads moreSkewed(TaskReads one, TaskReads other) {
    return one.maxToMean() >= other.maxToMean() ? one : other;
  }

  private static String megabytes(double bytes) {
    return format("%.2f", bytes / 1e6);
  }

  private static String format(String pattern, double value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
