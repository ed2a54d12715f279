// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import java.time.Duration;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.NoOpMetricsSink;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.metrics.MetricsSink;
import org.apache.beam.sdk.util.InstanceBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes the metrics of a pipeline to the sink that Beam's option {@code --metricsSink} names:
 * every {@code --metricsPushPeriod} seconds while the pipeline runs, and once when it has ended.
 */
final class MetricsPush {

  private static final Logger LOG = LoggerFactory.getLogger(MetricsPush.class);

  private final MetricsSink sink;
  private final Duration period;

  private MetricsPush(MetricsSink sink, Duration period) {
    this.sink = sink;
    this.period = period;
  }

  /**
   * What the options ask for.
   *
   * @throws RuntimeException when the sink cannot be made
   */
  static MetricsPush of(MetricsOptions options) {
    return new MetricsPush(
        InstanceBuilder.ofType(MetricsSink.class)
            .fromClass(options.getMetricsSink())
            .withArg(MetricsOptions.class, options)
            .build(),
        Duration.ofSeconds(options.getMetricsPushPeriod()));
  }

  /** Begins, for a pipeline that has just been started. Does nothing when there is no sink. */
  void start(NemoPipelineResult result) {
    if (sink instanceof NoOpMetricsSink) {
      return;
    }
    Thread thread = new Thread(() -> run(result), "anemone-metrics-push");
    thread.setDaemon(true);
    thread.start();
  }

  private void run(NemoPipelineResult result) {
    try {
      boolean ended;
      do {
        ended = result.awaitEnd(Optional.of(period));
        push(result);
      } while (!ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void push(NemoPipelineResult result) {
    try {
      sink.writeMetrics(result.metrics().queryMetrics(MetricsFilter.builder().build()));
    } catch (Exception e) { // the job goes on without, and the next push may succeed
      LOG.warn("The metrics were not pushed to {}", sink.getClass().getName(), e);
    }
  }
}
