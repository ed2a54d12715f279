// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.runners.core.metrics.DefaultMetricResults;
import org.apache.beam.runners.core.metrics.MonitoringInfoConstants.Labels;
import org.apache.beam.runners.core.metrics.MonitoringInfoMetricName;
import org.apache.beam.sdk.metrics.MetricKey;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;

/**
 * Gives the metrics that user code has counted in SDK harnesses the names that the program gave
 * them. By way of the Fn API a name comes with labels, and is not equal to the one it was made of.
 * Stateless.
 */
final class UserMetricNames {

  private UserMetricNames() {}

  /** The same values. */
  static MetricResults in(MetricResults results) {
    MetricQueryResults all = results.allMetrics();
    return new DefaultMetricResults(
        named(all.getCounters()),
        named(all.getDistributions()),
        named(all.getGauges()),
        named(all.getStringSets()),
        named(all.getBoundedTries()),
        named(all.getHistograms()));
  }

  private static <T> List<MetricResult<T>> named(Iterable<MetricResult<T>> results) {
    List<MetricResult<T>> named = new ArrayList<>();
    for (MetricResult<T> result : results) {
      MetricKey key = MetricKey.create(result.getKey().stepName(), named(result.getName()));
      named.add(MetricResult.create(key, result.getCommittedOrNull(), result.getAttempted()));
    }
    return named;
  }

  private static MetricName named(MetricName name) {
    return name instanceof MonitoringInfoMetricName labelled
            && labelled.getLabels().containsKey(Labels.NAMESPACE)
        ? MetricName.named(name.getNamespace(), name.getName())
        : name;
  }
}
