// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.event.MetricValues;
import org.apache.beam.runners.core.metrics.CounterCell;
import org.apache.beam.runners.core.metrics.DistributionCell;
import org.apache.beam.runners.core.metrics.GaugeCell;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.metrics.MetricName;

/** What somebody else has told of a pipeline's metrics, as Beam has them. */
public final class ToldMetrics {

  private ToldMetrics() {}

  /**
   * Gives each metric the value for which more was counted: the one that it has, or the one that
   * was told.
   */
  public static void raise(MetricsContainerStepMap metrics, MetricValues told) {
    for (MetricValues.Counter each : told.counters()) {
      CounterCell cell =
          container(metrics, each.step()).getCounter(name(each.namespace(), each.name()));
      cell.inc(Math.max(0, each.value() - cell.getCumulative()));
    }
    for (MetricValues.Distribution each : told.distributions()) {
      DistributionCell cell =
          container(metrics, each.step()).getDistribution(name(each.namespace(), each.name()));
      if (each.count() > cell.getCumulative().count()) {
        cell.reset();
        cell.update(each.sum(), each.count(), each.min(), each.max());
      }
    }
    for (MetricValues.Gauge each : told.gauges()) {
      GaugeCell cell =
          container(metrics, each.step()).getGauge(name(each.namespace(), each.name()));
      if (each.setAt() > cell.getCumulative().timestamp().getMillis()) {
        cell.set(each.value());
      }
    }
  }

  private static MetricsContainerImpl container(MetricsContainerStepMap metrics, String step) {
    return step.isEmpty() ? metrics.getUnboundContainer() : metrics.getContainer(step);
  }

  private static MetricName name(String namespace, String name) {
    return MetricName.named(namespace, name);
  }
}
