// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.workload;

import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.metrics.MetricsFilter;

/** Counters of a job that has ended. */
final class Counters {
  private Counters() {}

  /** A counter of user code, over all steps. */
  static long sum(MetricResults metrics, Class<?> namespace, String counter) {
    MetricsFilter filter =
        MetricsFilter.builder().addNameFilter(MetricNameFilter.named(namespace, counter)).build();
    long sum = 0;
    for (MetricResult<Long> result : metrics.queryMetrics(filter).getCounters()) {
      sum += result.getCommitted();
    }
    return sum;
  }
}
