// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.skewq10;

import dev.anemone.evaluation.lab.edges.EdgeFigures;
import dev.anemone.evaluation.lab.process.ProcessCost;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;

/**
 * The raw figures.
 *
 * @param scale of the data
 * @param skew of the data, as {@code --skew} takes it
 * @param parallelism consumer tasks of every stage
 * @param jvmOptions that every JVM got
 * @param runs in the order in which they ran
 */
record SkewQ10Figures(
    double scale, String skew, int parallelism, List<String> jvmOptions, List<Run> runs) {
  /**
   * One run.
   *
   * @param policy that it ran with
   * @param condition what reads cost
   * @param round from 1
   * @param loadBefore of the machine; negative if not known
   * @param jobSeconds from when the runner got the pipeline until that was done
   * @param cost of the whole process
   * @param edges what went over the edges
   */
  record Run(
      String policy,
      Condition condition,
      int round,
      double loadBefore,
      double jobSeconds,
      ProcessCost cost,
      EdgeFigures edges) {}

  /** The policies, in the order of their first runs. */
  List<String> policies() {
    return runs.stream().map(Run::policy).distinct().toList();
  }

  /** The conditions, likewise. */
  List<Condition> conditions() {
    return runs.stream().map(Run::condition).distinct().toList();
  }

  /** The runs of a policy under a condition. */
  List<Run> of(String policy, Condition condition) {
    return runs.stream()
        .filter(run -> run.policy().equals(policy) && run.condition().equals(condition))
        .toList();
  }

  /** The times of jobs, in seconds. */
  static Summary seconds(List<Run> runs) {
    return Summary.of(runs, Run::jobSeconds);
  }
}
