// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoPipelineResult;
import dev.anemone.beam.metrics.EdgeMetrics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.metrics.MetricNameFilter;
import org.apache.beam.sdk.metrics.MetricsFilter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joins of which nobody knows before the job how large a side is. */
@Tag("slow")
class MeasuredBuildSidesTest {

  private static final int TASKS = 4;

  /** Bytes of a small side. */
  private static final long MOST = 30_000;

  /** Few rows, of which the planner thinks that they are a good part of the table. */
  private static final String FEW = "(SELECT id, small, mode FROM t WHERE MOD(id, 997) = 5)";

  private static final String MANY = "(SELECT id, small, mode FROM t WHERE MOD(id, 997) > 5)";

  private static final String READ_WHOLE = "each of 4 tasks reads all of ";

  /** Of each of these a side turns out to be small, and may be broadcast. */
  private static final List<String> SMALL =
      List.of(
          "SELECT a.id, a.price, b.mode FROM t a JOIN " + FEW + " b ON a.id = b.id",
          "SELECT a.id, a.price, b.mode FROM " + FEW + " b RIGHT JOIN t a ON a.id = b.id",
          "SELECT a.flag, COUNT(*) AS n, COUNT(b.mode) AS m FROM t a LEFT JOIN "
              + FEW
              + " b ON a.id = b.id GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE EXISTS (SELECT 1 FROM "
              + FEW
              + " b WHERE b.id = a.id AND b.mode = a.mode) GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE NOT EXISTS (SELECT 1 FROM "
              + FEW
              + " b WHERE b.id = a.id AND b.mode = a.mode) GROUP BY a.flag");

  /** Of these none does, or it must not be broadcast. */
  private static final List<String> LARGE =
      List.of(
          "SELECT a.id, a.price, b.mode FROM t a JOIN " + MANY + " b ON a.id = b.id",
          "SELECT a.flag, COUNT(*) AS n, COUNT(b.id) AS m FROM t a FULL JOIN "
              + FEW
              + " b ON a.id = b.id GROUP BY a.flag");

  @TempDir private static Path directory;
  private static NdpFiles files;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory);
    Path parts = Files.createDirectory(directory.resolve("parts"));
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      for (int part = 0; part < TASKS; part++) {
        statement.execute(
            "COPY (SELECT * FROM '%s' WHERE id %% %d = %d) TO '%s' (FORMAT parquet)"
                .formatted(
                    directory.resolve("parquet/a.parquet"),
                    TASKS,
                    part,
                    parts.resolve(part + ".parquet")));
      }
    }
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  private static NdpRuns runs(String columnar, long most) {
    return new NdpRuns(
        files.ddl("parquet", directory.resolve("parts").toString()),
        "--slots=" + TASKS,
        "--parallelism=" + TASKS,
        "--columnar=" + columnar,
        "--broadcastJoinBytes=0",
        "--exchangePartitions=" + TASKS,
        "--passOptions=keepExchanges=true,minBytesPerTask=1,broadcastJoinBytes=" + most);
  }

  private static NdpRuns runs() {
    return runs("distributed", MOST);
  }

  /** What an edge has carried. */
  private record Carried(long stored, long read) {}

  private static NemoPipelineResult result(NdpRuns runs, String query) {
    Pipeline pipeline = runs.pipeline();
    runs.apply(pipeline, "Query", query);
    NemoPipelineResult result = (NemoPipelineResult) pipeline.run();
    result.waitUntilFinish();
    return result;
  }

  private static List<Carried> carried(NemoPipelineResult result) {
    Map<String, Long> stored = counters(result, "storedBytes");
    Map<String, Long> read = counters(result, "diskReadBytes");
    return stored.keySet().stream()
        .filter(edge -> stored.get(edge) > 0)
        .map(edge -> new Carried(stored.get(edge), read.getOrDefault(edge, 0L)))
        .toList();
  }

  private static Map<String, Long> counters(NemoPipelineResult result, String name) {
    Map<String, Long> counters = new HashMap<>();
    result
        .metrics()
        .queryMetrics(
            MetricsFilter.builder()
                .addNameFilter(MetricNameFilter.named(EdgeMetrics.NAMESPACE, name))
                .build())
        .getCounters()
        .forEach(counter -> counters.put(counter.getKey().stepName(), counter.getAttempted()));
    return counters;
  }

  @Test
  void whatTurnsOutToBeSmallIsReadByEachTaskAndTheOtherSideOnce() {
    NemoPipelineResult result = result(runs(), SMALL.get(0));
    assertThat(result.summary()).contains(READ_WHOLE);
    List<Carried> carried = carried(result);
    assertThat(carried).anyMatch(edge -> edge.read() == TASKS * edge.stored());
    assertThat(carried).allMatch(edge -> edge.read() % edge.stored() == 0);
    assertThat(carried.stream().mapToLong(Carried::stored).max())
        .isEqualTo(carried.stream().mapToLong(Carried::read).max());
  }

  @Test
  void whatTurnsOutToBeLargeStaysPartitioned() {
    NemoPipelineResult result = result(runs(), LARGE.get(0));
    assertThat(result.summary())
        .contains("stay partitioned: more than one has more than")
        .doesNotContain(READ_WHOLE);
    assertThat(carried(result)).isNotEmpty().allMatch(edge -> edge.read() == edge.stored());
  }

  @Test
  void whatMayNotComeInPiecesStaysPartitioned() {
    for (String query : LARGE) {
      assertThat(result(runs(), query).summary()).as(query).doesNotContain(READ_WHOLE);
    }
    assertThat(result(runs("distributed", 0), SMALL.get(0)).summary())
        .doesNotContain(READ_WHOLE)
        .doesNotContain("stay partitioned");
  }

  @Test
  void rowsAreThoseOfTheRowPathAndOfDuckDb() throws Exception {
    for (List<String> queries : List.of(SMALL, LARGE)) {
      Map<String, List<String>> columns = runs().run(queries);
      Map<String, List<String>> rows = runs("off", MOST).run(queries);
      for (String query : queries) {
        assertThat(columns.get(query)).as(query).isEqualTo(rows.get(query)).isNotEmpty();
        assertThat(columns.get(query))
            .as(query)
            .isEqualTo(files.answer(query.replaceAll("MOD\\(id, 997\\)", "id % 997")));
      }
    }
  }

  @Test
  void allOfTheseSidesAreBroadcast() {
    for (String query : SMALL) {
      assertThat(result(runs(), query).summary()).as(query).contains(READ_WHOLE);
    }
  }
}
