// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.beam.sql.ndp.SkewedTable.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Joins in columns of which one key has much of the rows. */
@Tag("slow")
class SkewedJoinsTest {

  private static final int TASKS = 4;

  @TempDir private static Path directory;

  static NdpRuns runs(SkewedTable table, String policy, String... more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--optimizationPolicy=" + policy,
                "--slots=" + TASKS,
                "--parallelism=" + TASKS,
                "--columnar=distributed",
                "--broadcastJoinBytes=0",
                "--exchangePartitions=16",
                "--passOptions=minBytesPerTask=1"));
    options.addAll(List.of(more));
    return new NdpRuns(table.ddl(), options.toArray(String[]::new));
  }

  private static NemoPipelineResult result(NdpRuns runs, String query) {
    Pipeline pipeline = runs.pipeline();
    runs.apply(pipeline, "Query", query);
    NemoPipelineResult result = (NemoPipelineResult) pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  /** By how much the task that has read most over the largest edge has read more than the mean. */
  private static double maxToMean(NemoPipelineResult result) {
    DistributionResult largest =
        StreamSupport.stream(
                result
                    .metrics()
                    .queryMetrics(
                        MetricsFilter.builder()
                            .addNameFilter(
                                MetricNameFilter.named(
                                    EdgeMetrics.NAMESPACE, EdgeMetrics.READ_BYTES_PER_TASK))
                            .build())
                    .getDistributions()
                    .spliterator(),
                false)
            .map(MetricResult::getCommitted)
            .max((one, other) -> Long.compare(one.getSum(), other.getSum()))
            .orElseThrow();
    return (double) largest.getMax() * largest.getCount() / largest.getSum();
  }

  @Test
  void aHotKeyIsDividedAmongTasks() throws Exception {
    try (SkewedTable table = new SkewedTable(directory, 60_000, 0.7, Optional.of(7), 1)) {
      String query = Kind.INNER.query();
      NemoPipelineResult plain = result(runs(table, "BasicPull"), query);
      NemoPipelineResult skewed = result(runs(table, "DataSkew"), query);
      assertThat(skewed.summary()).contains(" tasks, by what the producers of ");
      assertThat(maxToMean(plain)).isGreaterThan(2.5);
      // Of four producers in three shares one has two.
      assertThat(maxToMean(skewed)).as(skewed.summary()).isLessThan(1.6);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void onlyWhatMayBeDividedIs(Kind kind) throws Exception {
    try (SkewedTable table = new SkewedTable(directory, 4_000, 0.7, Optional.of(7), 2)) {
      String summary = result(runs(table, "DataSkew"), kind.query()).summary();
      switch (kind) {
        case FULL, OF_KEY ->
            assertThat(summary).contains("cannot be divided").doesNotContain(" is divided among ");
        case OTHER_SIDE -> assertThat(summary).doesNotContain(" is divided among ");
        default -> assertThat(summary).contains(" is divided among ");
      }
    }
  }
}
