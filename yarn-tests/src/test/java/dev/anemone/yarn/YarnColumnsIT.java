// SPDX-License-Identifier: Apache-2.0
package dev.anemone.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.examples.sql.QueryPipeline;
import dev.anemone.examples.sql.QueryResult;
import dev.anemone.examples.tpch.Tpch;
import dev.anemone.examples.tpch.TpchDataSet;
import dev.anemone.examples.tpch.TpchQuery;
import dev.anemone.examples.tpch.TpchSkew;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.shell.rows.CollectedRows;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.metrics.DistributionResult;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricQueryResults;
import org.apache.beam.sdk.metrics.MetricResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.apache.beam.sdk.values.Row;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Queries over tables in HDFS run in columns, in tasks that exchange batches: two joins by
 * different keys, an aggregate and an order.
 */
class YarnColumnsIT {

  private static final TpchQuery QUERY = TpchQuery.byNumber(10);

  /** At this scale each stage has one task, which needs no exchange. */
  private static final String EXCHANGED = "--passOptions=keepExchanges=true";

  /** Of a remainder the planner thinks that a good part of the orders has it. */
  private static final String MISJUDGED =
      "SELECT l.l_partkey, l.l_suppkey, l.k, o.o_custkey FROM (SELECT l_partkey, l_suppkey,"
          + " MAX(l_orderkey) AS k FROM lineitem GROUP BY l_partkey, l_suppkey) l JOIN (SELECT"
          + " o_orderkey, o_custkey FROM orders WHERE MOD(o_orderkey, 1000) = 1) o"
          + " ON l.k = o.o_orderkey";

  /** The stage that joins the two sides of it. */
  private static final String JOINING = "^stage3$";

  /** An engine reads splits, and another one joins what was read, in the same task. */
  private static final int EXECUTOR_MB = 800;

  private static final Duration WHOLE_LIMIT = Duration.ofMinutes(5);

  @TempDir private static Path directory;
  private static TestCluster cluster;
  private static List<String> answer;

  @BeforeAll
  static void start() throws Exception {
    cluster = TestCluster.shared();
    TpchDataSet local = TpchDataSet.open(directory.resolve("tpch"), 0.01, TpchSkew.NONE);
    cluster.copyIn(Path.of(local.directory()), "/tpch");
    Tpch.Options rows =
        Tpch.options("--runner=NemoRunner", "--query=10", "--tables=NDP", "--columnar=off");
    answer = rows(Tpch.run(QUERY, local, rows));
    assertThat(answer).isNotEmpty();
  }

  @Test
  void aggregationTasksCarryBatches() throws Exception {
    assertThat(run("LargeShuffle")).isEqualTo(answer);
  }

  @Test
  @Tag("nightly")
  void batchesAreMeasured() throws Exception {
    assertThat(run("DataSkew")).isEqualTo(answer);
  }

  /** Executors are kept from task to task and from query to query, and Tez ends those that fail. */
  @Test
  @Tag("nightly")
  void noAttemptOfAQueryFails() throws Exception {
    Path logs = directory.resolve("logs");
    for (int round = 0; round < 2; round++) {
      assertThat(run("Default", "--eventLog=" + logs)).isEqualTo(answer);
    }

    assertThat(new EventLogs(logs).only(TaskFinished.class))
        .hasSizeGreaterThan(2 * TestCluster.NODES)
        .allMatch(task -> task.state() == TaskFinished.State.SUCCEEDED);
  }

  /** What the planner does not know to be small turns out to be so when it has been written. */
  @Test
  @Tag("nightly")
  void aSmallSideIsFoundWhileTheJobRuns() throws Exception {
    QueryResult rows = joined(options(EXECUTOR_MB, "Default", "--columnar=off"));
    QueryResult columns = joined(measured());
    assertThat(rows(columns)).isEqualTo(rows(rows)).isNotEmpty();
    assertThat(timesRead(columns.metrics()))
        .anyMatch(times -> Math.round(times) == TestCluster.NODES);
  }

  /** Its blocks are made again, and who joins goes on reading all of the small side. */
  @Test
  @Tag("nightly")
  void anExecutorIsLostWithBlocksOfASmallSide() throws Exception {
    List<String> rows = rows(joined(options(EXECUTOR_MB, "Default", "--columnar=off")));
    Path logs = directory.resolve("logs-of-loss");
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages(JOINING).times(Integer.MAX_VALUE));
    CompletableFuture<QueryResult> result =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return joined(measured("--eventLog=" + logs));
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    cluster.faults().awaitStrike();

    executor().orElseThrow().destroyForcibly();
    cluster.faults().release();

    assertThat(rows(result.get())).isEqualTo(rows).isNotEmpty();
    assertThat(timesRead(result.get().metrics()))
        .anyMatch(times -> Math.round(times) >= TestCluster.NODES);
  }

  /**
   * One side of the join is small enough to be read whole, and only found to be so when written.
   */
  private static Tpch.Options measured(String... others) {
    List<String> arguments = new ArrayList<>(List.of(others));
    arguments.add("--broadcastJoinBytes=0");
    arguments.add("--passOptions=keepExchanges=true,broadcastJoinBytes=15KB");
    return options(EXECUTOR_MB + 100, "Default", arguments.toArray(String[]::new));
  }

  private static QueryResult joined(Tpch.Options options) throws IOException {
    TpchDataSet tables = TpchDataSet.open(cluster.path("/tpch"), 0.01, TpchSkew.NONE);
    return QueryPipeline.run(
        options,
        pipeline -> options.getTables().query(pipeline, "Join", MISJUDGED, tables.files()),
        schema -> Comparator.comparing(Row::toString));
  }

  /** How often all tasks together have read what was written over each edge. */
  private static List<Double> timesRead(MetricResults metrics) {
    MetricQueryResults edges =
        metrics.queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.inNamespace(EdgeMetrics.NAMESPACE))
                .build());
    Map<String, Long> read = new HashMap<>();
    for (MetricResult<DistributionResult> each : edges.getDistributions()) {
      read.put(each.getKey().stepName(), each.getAttempted().getSum());
    }
    List<Double> times = new ArrayList<>();
    for (MetricResult<Long> each : edges.getCounters()) {
      if (each.getName().getName().equals("rawBytes") && each.getAttempted() > 0) {
        times.add((double) read.getOrDefault(each.getKey().stepName(), 0L) / each.getAttempted());
      }
    }
    return times;
  }

  @Test
  @Tag("nightly")
  void batchesAreKeptInThePool() throws Exception {
    try (PoolServers pool = new PoolServers(directory)) {
      List<String> arguments = new ArrayList<>(pool.arguments());
      arguments.add(EXCHANGED);
      assertThat(run("Disaggregation", arguments.toArray(String[]::new))).isEqualTo(answer);
    }
  }

  @Test
  void anExecutorIsLostWithBlocks() throws Exception {
    cluster
        .faults()
        .arm(Fault.once(Fault.Kind.HOLD, "BEGUN").inStages("^stage3$").times(Integer.MAX_VALUE));
    CompletableFuture<List<String>> result =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run("Default", EXCHANGED);
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    cluster.faults().awaitStrike();

    executor().orElseThrow().destroyForcibly();
    cluster.faults().release();

    assertThat(result.get()).isEqualTo(answer);
  }

  /** An application cannot change how the memory of its containers is divided. */
  @Test
  @Tag("nightly")
  void aQueryThatWantsMoreNativeMemoryFindsItInTheApplicationOfTheOneBefore() throws Exception {
    run(TpchQuery.byNumber(6), options(3_000, "Default"));
    ApplicationId first = cluster.application().getApplicationId();
    for (int query : List.of(3, 12, 6)) {
      run(TpchQuery.byNumber(query), options(3_000, "Default"));
      assertThat(cluster.application().getApplicationId()).isEqualTo(first);
    }
  }

  /** A node has room for one executor, and what waits keeps two of them. */
  @Test
  @Tag("nightly")
  void anApplicationThatWaitsForJobsKeepsNoOtherFromTheCluster() throws Exception {
    CompletableFuture<Void> all =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int executorMb : List.of(3_000, 2_900, 2_800)) {
                  run(TpchQuery.byNumber(6), options(executorMb, "Default"));
                }
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });

    assertThat(all).succeedsWithin(WHOLE_LIMIT);
    assertThat(cluster.application().getName()).isNotEmpty();
  }

  private static Optional<ProcessHandle> executor() {
    return cluster.cluster().containers().stream()
        .filter(each -> each.info().commandLine().orElse("").contains("TezChild"))
        .findFirst();
  }

  private static List<String> run(String policy, String... others) throws IOException {
    return run(QUERY, options(EXECUTOR_MB, policy, others));
  }

  private static List<String> run(TpchQuery query, Tpch.Options options) throws IOException {
    CollectedRows.requireCommonTempLocation(options);
    TpchDataSet tables = TpchDataSet.open(cluster.path("/tpch"), 0.01, TpchSkew.NONE);
    return rows(Tpch.run(query, tables, options));
  }

  private static Tpch.Options options(int executorMb, String policy, String... others) {
    List<String> arguments = new ArrayList<>(cluster.arguments("columns-" + policy, policy));
    arguments.replaceAll(
        each -> each.startsWith("--executorMemoryMb=") ? "--executorMemoryMb=" + executorMb : each);
    arguments.addAll(
        List.of("--query=10", "--tables=NDP", "--tempLocation=" + cluster.path("/tmp/rows")));
    arguments.addAll(List.of(others));
    Tpch.Options options = Tpch.options(arguments.toArray(String[]::new));
    FileSystems.setDefaultPipelineOptions(options);
    return options;
  }

  private static List<String> rows(QueryResult result) {
    return result.rows().stream()
        .map(row -> row.getValues().stream().map(YarnColumnsIT::text).toList().toString())
        .sorted()
        .toList();
  }

  /** Decimals may have zeros at their end. */
  private static String text(Object value) {
    return value instanceof BigDecimal decimal
        ? decimal.stripTrailingZeros().toPlainString()
        : String.valueOf(value);
  }
}
