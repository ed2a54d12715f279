// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import java.util.SortedMap;

/**
 * What a {@link ShuffleWorkload} reports when it ends.
 *
 * @param totals what has arrived
 * @param edges for every edge, by its id, the engine's counters by their names
 */
public record WorkloadReport(
    RecordTotals totals, SortedMap<String, SortedMap<String, Long>> edges) {

  private static final String PUSHED = "pushedBytes";
  private static final String FALLEN_BACK = "fallenBackBytes";

  /** Sum of a counter over all edges. */
  public long total(String counter) {
    return edges.values().stream().mapToLong(edge -> edge.getOrDefault(counter, 0L)).sum();
  }

  /**
   * Sum of a counter over the edges into the consumers. Edges over which bytes were pushed, or were
   * to be pushed, lead into the aggregation tasks before them.
   */
  public long ofConsumers(String counter) {
    return edges.values().stream()
        .filter(edge -> edge.getOrDefault(PUSHED, 0L) + edge.getOrDefault(FALLEN_BACK, 0L) == 0)
        .mapToLong(edge -> edge.getOrDefault(counter, 0L))
        .sum();
  }
}
