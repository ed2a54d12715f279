// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.harness.InMemoryTask;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.runtime.event.ExecutorLost;
import dev.anemone.runtime.event.JobEvent;
import java.util.List;
import java.util.Map;
import org.apache.beam.model.pipeline.v1.MetricsApi.MonitoringInfo;
import org.apache.beam.runners.core.metrics.MetricsContainerImpl;
import org.apache.beam.runners.core.metrics.MonitoringInfoConstants;
import org.apache.beam.runners.core.metrics.SimpleMonitoringInfoBuilder;
import org.apache.beam.sdk.metrics.BoundedTrieResult;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.Lineage;
import org.apache.beam.sdk.metrics.MetricName;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsContainer;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.Test;

class MetricsReportsTest {

  private static final InMemoryTask TASK = new InMemoryTask(FunctionSpec.of("none"));

  @Test
  void everyKindOfMetricIsMergedOverTasks() throws Exception {
    MetricQueryResults results =
        all(
            report(
                "Step",
                () -> {
                  Metrics.counter("test", "counter").inc(3);
                  Metrics.distribution("test", "distribution").update(10);
                  Metrics.gauge("test", "gauge").set(5);
                  Metrics.stringSet("test", "set").add("a", "b");
                  Metrics.boundedTrie("test", "trie").add(List.of("a", "b"));
                }),
            report(
                "Step",
                () -> {
                  Metrics.counter("test", "counter").inc(4);
                  Metrics.distribution("test", "distribution").update(2);
                  Metrics.stringSet("test", "set").add("b", "c");
                  Metrics.boundedTrie("test", "trie").add(List.of("a", "c"));
                }));

    assertThat(only(results.getCounters()).getCommitted()).isEqualTo(7);
    assertThat(only(results.getDistributions()).getAttempted())
        .isEqualTo(DistributionResult.create(12, 2, 2, 10));
    assertThat(only(results.getGauges()).getCommitted().getValue()).isEqualTo(5);
    assertThat(only(results.getStringSets()).getCommitted().getStringSet())
        .containsExactlyInAnyOrder("a", "b", "c");
    BoundedTrieResult trie = only(results.getBoundedTries()).getCommitted();
    assertThat(trie.getResult()).hasSize(2);
  }

  @Test
  void stepsKeepTheirOwnMetrics() throws Exception {
    MetricQueryResults results =
        all(
            report("First", () -> Metrics.counter("test", "counter").inc(1)),
            report("Second", () -> Metrics.counter("test", "counter").inc(2)));

    assertThat(results.getCounters())
        .extracting(counter -> counter.getKey().stepName() + "=" + counter.getCommitted())
        .containsExactlyInAnyOrder("First=1", "Second=2");
  }

  @Test
  void metricThatWasMadeAndNeverRaisedIsZero() throws Exception {
    MetricQueryResults results =
        all(report("Step", () -> Metrics.counter("test", "counter").inc(0)));

    assertThat(only(results.getCounters()).getCommitted()).isZero();
  }

  @Test
  void lineageIsKept() throws Exception {
    StepMetrics step = new StepMetrics("Step", TASK);
    in(step, () -> Lineage.getSources().add("file", List.of("data", "part-0")));
    MetricResults results =
        MetricsReports.toResults(MetricsReports.merge(List.of(step.report().orElseThrow())));

    assertThat(Lineage.query(results, Lineage.Type.SOURCE)).hasSize(1);
  }

  @Test
  void metricsGoBackToTheCallerAfterwards() throws Exception {
    StepMetrics outer = new StepMetrics("Outer", TASK);
    StepMetrics inner = new StepMetrics("Inner", TASK);
    in(
        outer,
        () -> {
          in(inner, () -> Metrics.counter("test", "counter").inc(1));
          Metrics.counter("test", "counter").inc(10);
        });

    assertThat(all(outer.report().orElseThrow(), inner.report().orElseThrow()).getCounters())
        .extracting(counter -> counter.getKey().stepName() + "=" + counter.getCommitted())
        .containsExactlyInAnyOrder("Outer=10", "Inner=1");
  }

  @Test
  void whatAStepTellsComesWithItsMetrics() throws Exception {
    StepMetrics step = new StepMetrics("Step", TASK);
    JobEvent event = new ExecutorLost(1, "x", "a\nb");
    step.tell(event);
    byte[] told = step.report().orElseThrow();
    byte[] counted = report("Other", () -> Metrics.counter("test", "counter").inc(1));

    assertThat(MetricsReports.events(List.of(counted, told))).containsExactly(event);
    assertThat(all(counted, told).getCounters()).hasSize(1);
  }

  @Test
  void stepWithoutMetricsHasNoReport() throws Exception {
    assertThat(new StepMetrics("Step", TASK).report()).isEmpty();
  }

  @Test
  void aReportHoldsTheStepsThatHaveCounted() {
    MetricName name = MetricName.named("test", "counter");
    MetricsContainerImpl first = new MetricsContainerImpl("First");
    first.getCounter(name).inc(1);
    MetricsContainerImpl second = new MetricsContainerImpl("Second");
    second.getCounter(name).inc(2);
    MetricsContainerImpl idle = new MetricsContainerImpl("Idle");

    byte[] report =
        MetricsReports.encode(Map.of("First", first, "Second", second, "Idle", idle)).orElseThrow();

    assertThat(all(report).getCounters())
        .extracting(counter -> counter.getKey().stepName() + "=" + counter.getCommitted())
        .containsExactlyInAnyOrder("First=1", "Second=2");
    assertThat(MetricsReports.encode(Map.of("Idle", idle))).isEmpty();
  }

  @Test
  void whatAHarnessHasCountedHasTheNameThatTheProgramGaveIt() {
    MonitoringInfo counted =
        new SimpleMonitoringInfoBuilder()
            .setUrn(MonitoringInfoConstants.Urns.USER_SUM_INT64)
            .setLabel(MonitoringInfoConstants.Labels.NAMESPACE, "test")
            .setLabel(MonitoringInfoConstants.Labels.NAME, "counter")
            .setLabel(MonitoringInfoConstants.Labels.PTRANSFORM, "Step")
            .setInt64SumValue(3)
            .build();
    MetricsContainerImpl container = new MetricsContainerImpl("Step");
    container.update(List.of(counted));

    byte[] report = MetricsReports.encode(Map.of("Step", container)).orElseThrow();

    MetricResult<Long> counter = only(all(report).getCounters());
    assertThat(counter.getName()).isEqualTo(MetricName.named("test", "counter"));
    assertThat(counter.getKey().stepName()).isEqualTo("Step");
    assertThat(counter.getCommitted()).isEqualTo(3);
    // A program in another language gets it as its own harness had said it.
    assertThat(MetricsReports.merge(List.of(report)).getMonitoringInfos()).containsExactly(counted);
  }

  @Test
  void bytesThatAreNoReportAreRefused() {
    assertThatThrownBy(() -> MetricsReports.merge(List.of(new byte[] {1, 2, 3})))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] report(String stepName, Runnable code) throws Exception {
    StepMetrics step = new StepMetrics(stepName, TASK);
    in(step, code);
    return step.report().orElseThrow();
  }

  private static void in(StepMetrics step, Runnable code) {
    MetricsContainer caller = step.enter();
    try {
      code.run();
    } finally {
      step.leave(caller);
    }
  }

  private static MetricQueryResults all(byte[]... reports) {
    return MetricsReports.toResults(MetricsReports.merge(List.of(reports)))
        .queryMetrics(MetricsFilter.builder().build());
  }

  private static <T> MetricResult<T> only(Iterable<MetricResult<T>> results) {
    assertThat(results).hasSize(1);
    return results.iterator().next();
  }
}
