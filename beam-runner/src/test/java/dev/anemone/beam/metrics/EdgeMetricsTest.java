// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.runtime.engine.EdgeCounters;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.Test;

class EdgeMetricsTest {

  private static final EdgeCounters COUNTERS =
      new EdgeCounters(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);

  private static MetricsFilter edgeMetrics() {
    return MetricsFilter.builder()
        .addNameFilter(MetricNameFilter.inNamespace(EdgeMetrics.NAMESPACE))
        .build();
  }

  @Test
  void recordsHaveBeamsNameToo() {
    assertThat(query(Map.of("e3", COUNTERS), MetricsFilter.builder().build()))
        .filteredOn(counter -> counter.getName().getName().equals("metric:element_count:v1"))
        .extracting(counter -> counter.getName().getNamespace(), MetricResult::getCommitted)
        .containsExactly(tuple("e3", COUNTERS.records()));
  }

  @Test
  void everyNumberIsACounterOfItsNameWithTheEdgeAsStep() {
    Iterable<MetricResult<Long>> counters = query(Map.of("e3", COUNTERS), edgeMetrics());

    RecordComponent[] components = EdgeCounters.class.getRecordComponents();
    assertThat(counters)
        .extracting(c -> c.getName().getName(), MetricResult::getCommitted)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(components)
                .map(c -> tuple(c.getName(), COUNTERS.values().get(indexOf(components, c))))
                .toList());
    assertThat(counters)
        .allSatisfy(
            counter -> {
              assertThat(counter.getName().getNamespace()).isEqualTo("anemone.edge");
              assertThat(counter.getKey().stepName()).isEqualTo("e3");
              assertThat(counter.getAttempted()).isEqualTo(counter.getCommitted());
            });
  }

  @Test
  void oneCounterOfOneEdgeCanBeAskedFor() {
    Iterable<MetricResult<Long>> counters =
        query(
            Map.of("e3+e4", COUNTERS, "e7", COUNTERS.plus(COUNTERS)),
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.named(EdgeMetrics.NAMESPACE, "diskSeeks"))
                .addStep("e7")
                .build());

    assertThat(counters).singleElement().extracting(MetricResult::getCommitted).isEqualTo(14L);
  }

  @Test
  void whatTasksReadIsADistributionWithAValueForEachTask() {
    Iterable<MetricResult<DistributionResult>> distributions =
        MetricsReports.toResults(
                EdgeMetrics.of(Map.of("e3", COUNTERS), Map.of("e3", List.of(10L, 0L, 50L))))
            .queryMetrics(
                MetricsFilter.builder()
                    .addNameFilter(
                        MetricNameFilter.named(
                            EdgeMetrics.NAMESPACE, EdgeMetrics.READ_BYTES_PER_TASK))
                    .build())
            .getDistributions();

    assertThat(distributions)
        .singleElement()
        .satisfies(
            distribution -> {
              assertThat(distribution.getKey().stepName()).isEqualTo("e3");
              assertThat(distribution.getCommitted())
                  .isEqualTo(DistributionResult.create(60, 3, 0, 50));
            });
  }

  private static int indexOf(RecordComponent[] components, RecordComponent component) {
    return Arrays.asList(components).indexOf(component);
  }

  private static Iterable<MetricResult<Long>> query(
      Map<String, EdgeCounters> edges, MetricsFilter filter) {
    return MetricsReports.toResults(EdgeMetrics.of(edges, Map.of()))
        .queryMetrics(filter)
        .getCounters();
  }
}
