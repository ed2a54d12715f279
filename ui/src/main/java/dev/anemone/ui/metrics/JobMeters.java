// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.metrics;

import dev.anemone.runtime.event.EdgesCounted.EdgeTotals;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.ui.model.ExecutorView;
import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.MemorySeries;
import dev.anemone.ui.model.StageView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;

/**
 * Jobs as gauges, each with the job's id as a label. They are those of the jobs of the last update;
 * what is no longer told goes. Not thread-safe.
 */
final class JobMeters {

  private static final String JOB = "job";
  private static final String KIND = "kind";

  private final Meter tasks;
  private final Meter stageBytes;
  private final Meter edgeBytes;
  private final Meter memory;
  private final Meter executorMemory;
  private final Meter counters;
  private final Meter distributions;
  private final Meter gauges;
  private final List<Meter> all;

  JobMeters(MeterRegistry registry) {
    tasks = new Meter(registry, "anemone.tasks", "", "tasks of a stage, by their state");
    stageBytes =
        new Meter(
            registry,
            "anemone.stage.bytes",
            "bytes",
            "what tasks of a stage have read from others, written for others, spilled");
    edgeBytes =
        new Meter(
            registry, "anemone.edge.bytes", "bytes", "what went over an edge; at the job's end");
    memory = new Meter(registry, "anemone.executor.used", "bytes", "memory in use of an executor");
    executorMemory =
        new Meter(registry, "anemone.executor.memory", "bytes", "memory that an executor has");
    counters = new Meter(registry, "anemone.program.counter", "", "counters of the program");
    distributions =
        new Meter(
            registry,
            "anemone.program.distribution",
            "",
            "distributions of the program: how many values, their sum, the smallest, the largest");
    gauges = new Meter(registry, "anemone.program.gauge", "", "gauges of the program");
    all =
        List.of(
            tasks, stageBytes, edgeBytes, memory, executorMemory, counters, distributions, gauges);
  }

  /** A gauge with one value for each set of labels. */
  private static final class Meter {
    private final MultiGauge gauge;
    private final List<Row<?>> rows = new ArrayList<>();

    Meter(MeterRegistry registry, String name, String unit, String description) {
      gauge =
          MultiGauge.builder(name)
              .baseUnit(unit.isEmpty() ? null : unit)
              .description(description)
              .register(registry);
    }

    void add(long value, Tags labels) {
      rows.add(Row.of(labels, value));
    }

    void publish() {
      gauge.register(rows, true);
      rows.clear();
    }
  }

  void update(List<JobModel> jobs) {
    jobs.forEach(job -> add(job.id(), job.head()));
    all.forEach(Meter::publish);
  }

  private void add(String id, JobHead job) {
    job.counts().forEach(stage -> add(Tags.of(JOB, id, "stage", stage.stage()), stage));
    for (ExecutorView executor : job.executors()) {
      if (executor.lostAt().isEmpty()) {
        executorMemory.add(
            executor.memoryBytes(), Tags.of(JOB, id, "executor", executor.executor()));
      }
    }
    job.memory().forEach((executor, points) -> add(Tags.of(JOB, id, "executor", executor), points));
    job.edges()
        .ifPresent(
            counted ->
                counted.edges().forEach((edge, of) -> add(Tags.of(JOB, id, "edge", edge), of)));
    job.metrics().ifPresent(values -> add(Tags.of(JOB, id), values));
  }

  private void add(Tags labels, MetricValues values) {
    for (MetricValues.Counter counter : values.counters()) {
      counters.add(
          counter.value(), metric(labels, counter.step(), counter.namespace(), counter.name()));
    }
    for (MetricValues.Distribution each : values.distributions()) {
      Tags metric = metric(labels, each.step(), each.namespace(), each.name());
      distributions.add(each.count(), metric.and(KIND, "count"));
      distributions.add(each.sum(), metric.and(KIND, "sum"));
      if (each.count() > 0) {
        distributions.add(each.min(), metric.and(KIND, "min"));
        distributions.add(each.max(), metric.and(KIND, "max"));
      }
    }
    for (MetricValues.Gauge gauge : values.gauges()) {
      gauges.add(gauge.value(), metric(labels, gauge.step(), gauge.namespace(), gauge.name()));
    }
  }

  private static Tags metric(Tags labels, String step, String namespace, String name) {
    return labels.and("step", step, "namespace", namespace, "name", name);
  }

  private void add(Tags labels, StageView stage) {
    tasks.add(stage.total(), labels.and(KIND, "total"));
    tasks.add(stage.running(), labels.and(KIND, "running"));
    tasks.add(stage.succeeded(), labels.and(KIND, "succeeded"));
    tasks.add(stage.failed(), labels.and(KIND, "failed"));
    tasks.add(stage.killed(), labels.and(KIND, "killed"));
    stageBytes.add(stage.readBytes(), labels.and(KIND, "read"));
    stageBytes.add(stage.writtenBytes(), labels.and(KIND, "written"));
    stageBytes.add(stage.spilledBytes(), labels.and(KIND, "spilled"));
  }

  private void add(Tags labels, List<MemorySeries.Point> points) {
    if (!points.isEmpty()) {
      MemorySeries.Point now = points.get(points.size() - 1);
      memory.add(now.heap(), labels.and(KIND, "heap"));
      memory.add(now.offHeap(), labels.and(KIND, "off-heap"));
      memory.add(now.nativeBytes(), labels.and(KIND, "native"));
    }
  }

  private void add(Tags labels, EdgeTotals edge) {
    edgeBytes.add(edge.rawBytes(), labels.and(KIND, "raw"));
    edgeBytes.add(edge.storedBytes(), labels.and(KIND, "stored"));
    edgeBytes.add(edge.pushedBytes(), labels.and(KIND, "pushed"));
    edgeBytes.add(edge.fetchedBytes(), labels.and(KIND, "fetched"));
    edgeBytes.add(edge.spilledBytes(), labels.and(KIND, "spilled"));
    edgeBytes.add(edge.poolWrittenBytes(), labels.and(KIND, "pool-written"));
    edgeBytes.add(edge.overflowedBytes(), labels.and(KIND, "overflowed"));
    edgeBytes.add(edge.poolReadBytes(), labels.and(KIND, "pool-read"));
  }
}
