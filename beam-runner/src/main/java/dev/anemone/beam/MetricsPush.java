// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.options.InvalidPipelineException;
import java.time.Duration;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.NoOpMetricsSink;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.metrics.MetricsOptions;
import org.apache.beam.sdk.metrics.MetricsSink;
import org.apache.beam.sdk.util.InstanceBuilder;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.base.Throwables;
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
   * What the options ask for. Without a sink there is no period.
   *
   * @throws InvalidPipelineException when the sink cannot be made, or the period is not positive;
   *     names the option
   */
  static MetricsPush of(MetricsOptions options) {
    MetricsSink sink = sink(options);
    long seconds = options.getMetricsPushPeriod();
    if (seconds < 1 && !(sink instanceof NoOpMetricsSink)) {
      throw new InvalidPipelineException(
          "--metricsPushPeriod="
              + seconds
              + " is the number of seconds between two pushes of metrics and must be at least 1."
              + " Leave out --metricsSink for none.");
    }
    return new MetricsPush(sink, Duration.ofSeconds(seconds));
  }

  private static MetricsSink sink(MetricsOptions options) {
    try {
      return InstanceBuilder.ofType(MetricsSink.class)
          .fromClass(options.getMetricsSink())
          .withArg(MetricsOptions.class, options)
          .build();
    } catch (RuntimeException e) { // also what its constructor has thrown
      throw new InvalidPipelineException(
          "--metricsSink="
              + options.getMetricsSink().getName()
              + " cannot be made: "
              + Throwables.getRootCause(e)
              + ". Name a class with a constructor that takes MetricsOptions, and set the"
              + " options that it reads.",
          e);
    }
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
