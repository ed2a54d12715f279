// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricKey;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;

/** What has come of a job, for people: its state, and below it what it has counted. */
final class JobReport {
  private static final Comparator<MetricKey> ORDER =
      Comparator.<MetricKey, String>comparing(key -> String.valueOf(key.stepName()))
          .thenComparing(key -> key.metricName().getNamespace())
          .thenComparing(key -> key.metricName().getName());

  private JobReport() {}

  /** Prints the report of a job that has ended. */
  static void print(String job, PipelineResult result, PrintStream out) {
    out.println(job + ": " + result.getState());
    List<MetricResult<Long>> counters = new ArrayList<>();
    result
        .metrics()
        .queryMetrics(MetricsFilter.builder().build())
        .getCounters()
        .forEach(counters::add);
    counters.sort(Comparator.comparing(MetricResult::getKey, ORDER));
    for (MetricResult<Long> counter : counters) {
      out.println(
          String.format(
              Locale.ROOT,
              "%,20d  %s  %s",
              counter.getAttempted(),
              counter.getName().getName(),
              counter.getKey().stepName()));
    }
  }
}
