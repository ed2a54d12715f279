// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.anemone.runtime.engine.EdgeCounters;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.Test;

class EdgeMetricsTest {

  private static final EdgeCounters COUNTERS =
      EdgeCounters.of(LongStream.rangeClosed(1, 22).boxed().toList());

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
        .containsExactly(tuple("e3", COUNTERS.written().records()));
  }

  @Test
  void everyNumberIsACounterOfItsNameWithTheEdgeAsStep() {
    Iterable<MetricResult<Long>> counters = query(Map.of("e3", COUNTERS), edgeMetrics());

    List<String> names = numbersOf(EdgeCounters.class).toList();
    assertThat(counters)
        .extracting(c -> c.getName().getName(), MetricResult::getCommitted)
        .containsExactlyInAnyOrderElementsOf(
            names.stream()
                .map(name -> tuple(name, COUNTERS.values().get(names.indexOf(name))))
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

  /** The names of a record's numbers, with those of the records in it. */
  private static Stream<String> numbersOf(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(c -> c.getType().isRecord() ? numbersOf(c.getType()) : Stream.of(c.getName()));
  }

  private static Iterable<MetricResult<Long>> query(
      Map<String, EdgeCounters> edges, MetricsFilter filter) {
    return MetricsReports.toResults(EdgeMetrics.of(edges, Map.of()))
        .queryMetrics(filter)
        .getCounters();
  }
}
