// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.MetricValues.Counter;
import dev.anemone.runtime.event.MetricValues.Distribution;
import dev.anemone.runtime.event.MetricValues.Gauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.GaugeResult;
import org.apache.beam.sdk.metrics.MetricKey;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;

/** A pipeline's metrics as an event of its job. */
public final class MetricEvents {

  private MetricEvents() {}

  /**
   * The event.
   *
   * @param before what was counted before the job started
   * @param reports of tasks, as for {@link MetricsReports#merge}
   */
  public static MetricValues of(
      MetricsContainerStepMap before, Iterable<byte[]> reports, long time) {
    MetricsContainerStepMap all = MetricsReports.merge(reports);
    all.updateAll(before);
    return of(all, time);
  }

  /**
   * The event of what attempts in this JVM have counted until now; empty when there are none.
   *
   * @param before what was counted before the job started
   * @param shared what the job's tasks share under a key
   */
  public static Optional<MetricValues> attempted(
      MetricsContainerStepMap before, Function<String, Optional<Object>> shared, long time) {
    return AttemptedMetrics.in(shared)
        .map(
            all -> {
              all.updateAll(before);
              return of(all, time);
            });
  }

  /** The event of what a step has counted until now. */
  static MetricValues of(String stepName, MetricsContainerImpl container) {
    MetricsContainerStepMap step = new MetricsContainerStepMap();
    step.update(stepName, container);
    return of(step, System.currentTimeMillis());
  }

  private static MetricValues of(MetricsContainerStepMap all, long time) {
    MetricQueryResults results =
        MetricsContainerStepMap.asAttemptedOnlyMetricResults(all)
            .queryMetrics(MetricsFilter.builder().build());
    List<Counter> counters = new ArrayList<>();
    for (MetricResult<Long> result : results.getCounters()) {
      counters.add(
          new Counter(
              step(result.getKey()),
              result.getName().getNamespace(),
              result.getName().getName(),
              result.getAttempted()));
    }
    List<Distribution> distributions = new ArrayList<>();
    for (MetricResult<DistributionResult> result : results.getDistributions()) {
      distributions.add(distribution(result));
    }
    List<Gauge> gauges = new ArrayList<>();
    for (MetricResult<GaugeResult> result : results.getGauges()) {
      gauges.add(
          new Gauge(
              step(result.getKey()),
              result.getName().getNamespace(),
              result.getName().getName(),
              result.getAttempted().getValue(),
              result.getAttempted().getTimestamp().getMillis()));
    }
    return new MetricValues(time, counters, distributions, gauges);
  }

  private static Distribution distribution(MetricResult<DistributionResult> result) {
    DistributionResult values = result.getAttempted();
    boolean none = values.getCount() == 0;
    return new Distribution(
        step(result.getKey()),
        result.getName().getNamespace(),
        result.getName().getName(),
        values.getCount(),
        values.getSum(),
        none ? 0 : values.getMin(),
        none ? 0 : values.getMax());
  }

  /** Not every metric is one of a step. */
  private static String step(MetricKey key) {
    return key.stepName() == null ? "" : key.stepName();
  }
}
