// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import dev.anemone.runtime.engine.MetricReports;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.MetricValues;
import java.util.List;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;

/** Beam's metrics, without those that were counted before the job started. */
public final class BeamMetricReports implements MetricReports {

  @Override
  public Optional<MetricValues> read(List<TaskReport> reports, long time) {
    return Optional.of(
        MetricEvents.of(
            new MetricsContainerStepMap(),
            reports.stream().map(TaskReport::report).toList(),
            time));
  }

  @Override
  public List<JobEvent> events(List<TaskReport> reports) {
    return MetricsReports.events(reports.stream().map(TaskReport::report).toList());
  }
}
