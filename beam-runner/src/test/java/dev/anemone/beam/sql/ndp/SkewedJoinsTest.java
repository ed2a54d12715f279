// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.equivalence.Outcome;
import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.beam.sql.ndp.SkewedTable.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.Row;
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

  /**
   * A task of the join fails when it has read its share, and all blocks of the producers are gone
   * by then: what it reads in its second attempt is what it has read in the first one.
   */
  @Test
  void tasksThatRunAgainReadTheSameShares() throws Exception {
    Path temp = Files.createDirectory(directory.resolve("blocks"));
    try (SkewedTable table = new SkewedTable(directory, 4_000, 0.7, Optional.of(7), 3)) {
      LosingFn.arm(temp);
      NdpRuns runs = runs(table, "DataSkew", "--tempDirectory=" + temp);
      Pipeline pipeline = runs.pipeline();
      Outcome outcome = new Outcome();
      runs.apply(pipeline, "Query", Kind.OUTER_IDS.query())
          .apply("Lose", ParDo.of(new LosingFn()))
          .apply("Collect", ParDo.of(outcome.collect("")));
      NemoPipelineResult result = (NemoPipelineResult) pipeline.run();
      assertThat(result.waitUntilFinish()).isEqualTo(PipelineResult.State.DONE);

      assertThat(result.summary()).contains(" is divided among ");
      assertThat(LosingFn.LOST.get()).isPositive();
      Map<String, Long> expected = new TreeMap<>();
      for (String row : table.answer(Kind.OUTER_IDS.query())) {
        expected.merge(": " + row.replace('|', '='), 1L, Long::sum);
      }
      assertThat(outcome.take()).isEqualTo(expected);
    }
  }

  /** Deletes all blocks below a directory when it gets its first row, and fails. */
  private static final class LosingFn extends DoFn<Row, KV<Integer, Long>> {

    private static final long serialVersionUID = 1L;

    /** Blocks that were deleted. */
    static final AtomicInteger LOST = new AtomicInteger();

    private static final AtomicReference<Path> ARMED = new AtomicReference<>();

    static void arm(Path directory) {
      LOST.set(0);
      ARMED.set(directory);
    }

    @ProcessElement
    public void process(@Element Row row, OutputReceiver<KV<Integer, Long>> output)
        throws IOException {
      Path armed = ARMED.getAndSet(null);
      if (armed != null) {
        try (Stream<Path> files = Files.walk(armed)) {
          for (Path block : files.filter(file -> file.endsWith("file.out")).toList()) {
            Files.delete(block);
            LOST.incrementAndGet();
          }
        }
        throw new IllegalStateException("planned failure");
      }
      output.output(KV.of(row.getInt64(0).intValue(), row.getInt64(1)));
    }
  }
}
