// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.edges.EdgeFigures.TaskReads;
import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import dev.anemone.evaluation.lab.store.ChargesAsAsked;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

record SkewQ10Figures(
    double scale, String skew, int parallelism, List<String> jvmOptions, List<Run> runs) {
  record Run(
      String policy,
      Condition condition,
      int round,
      double loadBefore,
      double jobSeconds,
      ProcessCost cost,
      EdgeFigures edges) {}

  List<String> policies() {
    return runs.stream().map(Run::policy).distinct().toList();
  }

  List<Condition> conditions() {
    return runs.stream().map(Run::condition).distinct().toList();
  }

  List<Run> of(String policy, Condition condition) {
    return runs.stream()
        .filter(run -> run.policy().equals(policy) && run.condition().equals(condition))
        .toList();
  }

  static Summary seconds(List<Run> runs) {
    return Summary.of(runs, Run::jobSeconds);
  }

  /** What a task's reads cost; 0 bytes per second stand for as fast as it can. */
  record Condition(String name, int slots, long bytesPerSecond) {
    /** The processors are what tasks share. */
    static Condition asItIs(int slots) {
      return new Condition("as it is", slots, 0);
    }

    /** All consumer tasks run at the same time, and each has a link of its own. */
    static Condition links(int tasks, long bytesPerSecond) {
      return new Condition(
          String.format(Locale.ROOT, "%,d kB/s a task", bytesPerSecond / 1000),
          tasks,
          bytesPerSecond);
    }

    boolean isCharged() {
      return bytesPerSecond > 0;
    }

    List<String> jvmOptions() {
      return isCharged()
          ? List.of("-D" + ChargesAsAsked.LINK_PROPERTY + "=" + bytesPerSecond)
          : List.of();
    }
  }

  /** Ids are a letter and a number, so the shorter one has the smaller number. */
  private static final Comparator<String> BY_EDGE =
      Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder());

  /** A line per condition and policy; the last column compares with the first policy. */
  MarkdownTable times() {
    MarkdownTable table =
        new MarkdownTable(
            "reads; policy; slots; runs; job median s|%.2f; min s|%.2f; max s|%.2f; "
                + "user CPU s|%.2f; job time|%+.1f %%");
    for (Condition condition : conditions()) {
      double first = seconds(of(policies().get(0), condition)).median();
      for (String policy : policies()) {
        var runs = of(policy, condition);
        Summary job = seconds(runs);
        table.row(
            condition.name(),
            policy,
            condition.slots(),
            runs.size(),
            job,
            Summary.of(runs, run -> run.cost().userCpuSeconds()).median(),
            100 * (job.median() / first - 1));
      }
    }
    return table;
  }

  /** A line per edge and policy, of the run whose busiest task is farthest from the mean. */
  MarkdownTable reads() {
    MarkdownTable table =
        new MarkdownTable("edge; policy; tasks; MB|%.2f; mean MB|%.2f; max MB|%.2f; max/mean|%.2f");
    Map<String, Map<String, TaskReads>> byEdge = new TreeMap<>(BY_EDGE);
    for (Run run : runs()) {
      run.edges()
          .reads()
          .forEach(
              (edge, reads) -> {
                if (reads.tasks() > 1) {
                  byEdge
                      .computeIfAbsent(edge, id -> new TreeMap<>())
                      .merge(run.policy(), reads, SkewQ10Figures::moreSkewed);
                }
              });
    }
    byEdge.forEach(
        (edge, byPolicy) -> {
          for (String policy : policies()) {
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
