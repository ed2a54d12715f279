// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.edges;

import dev.anemone.beam.metrics.EdgeMetrics;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.metrics.MetricsFilter;

/** The engine's metrics of all edges of a job, by their ids, and what consumer tasks read. */
public record EdgeFigures(
    SortedMap<String, SortedMap<String, Long>> counters, SortedMap<String, TaskReads> reads) {
  /** The figures among the metrics of a job that has ended. */
  public static EdgeFigures of(MetricResults metrics) {
    MetricQueryResults ofEdges =
        metrics.queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.inNamespace(EdgeMetrics.NAMESPACE))
                .build());
    SortedMap<String, SortedMap<String, Long>> counters = new TreeMap<>();
    for (MetricResult<Long> counter : ofEdges.getCounters()) {
      counters
          .computeIfAbsent(counter.getKey().stepName(), edge -> new TreeMap<>())
          .put(counter.getName().getName(), counter.getCommitted());
    }
    SortedMap<String, TaskReads> reads = new TreeMap<>();
    for (MetricResult<DistributionResult> distribution : ofEdges.getDistributions()) {
      if (distribution.getName().getName().equals(EdgeMetrics.READ_BYTES_PER_TASK)) {
        DistributionResult perTask = distribution.getCommitted();
        reads.put(
            distribution.getKey().stepName(),
            new TaskReads(
                perTask.getCount(), perTask.getSum(), perTask.getMin(), perTask.getMax()));
      }
    }
    return new EdgeFigures(counters, reads);
  }

  /** What the consumer tasks of an edge read: bytes of keys and values, not compressed. */
  public record TaskReads(long tasks, long bytes, long least, long most) {
    /** How many times as much as a task on average the busiest one reads; 1 if nobody reads. */
    public double maxToMean() {
      return bytes == 0 ? 1 : (double) most * tasks / bytes;
    }
  }
}
