// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.NemoRunner;
import dev.anemone.beam.ndp.NdpMetrics;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.passes.rewrite.BuildSidePass;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Joins that the planner would shuffle, of which a pass knows that one side is small. */
@Tag("slow")
class BuildSidesTest {

  /** Rows of it, all with ids below 8192, so in the first of five row groups. */
  private static final String FEW = "(SELECT id, small, mode FROM t WHERE price = 79.19)";

  private static final String BROADCAST = "goes to the tasks that make";

  /** Of each of these a small side is broadcast. */
  private static final List<String> BROADCAST_JOINS =
      List.of(
          "SELECT a.id, a.price, b.mode FROM t a JOIN " + FEW + " b ON a.id = b.id",
          "SELECT a.flag, COUNT(*) AS n, COUNT(b.id) AS m FROM t a LEFT JOIN "
              + FEW
              + " b ON a.id = b.id GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE EXISTS (SELECT 1 FROM "
              + FEW
              + " b WHERE b.id = a.id) GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE NOT EXISTS (SELECT 1 FROM "
              + FEW
              + " b WHERE b.id = a.id) GROUP BY a.flag",
          "SELECT a.id, COUNT(*) AS n FROM t a JOIN " + FEW + " b ON a.id = b.id GROUP BY a.id",
          "SELECT a.id, a.small, SUM(b.small) AS s FROM t a JOIN "
              + FEW
              + " b ON a.id = b.id GROUP BY a.small, a.id HAVING SUM(b.small) > 20",
          "SELECT a.flag, b.mode, COUNT(*) AS n, SUM(c.small) AS s FROM t a JOIN "
              + FEW
              + " b ON a.id = b.id JOIN (SELECT id, small FROM t WHERE shipped = DATE '1992-02-03') c"
              + " ON a.small = c.small GROUP BY a.flag, b.mode");

  /** These are shuffled, or are broadcast or not as their sizes are: only their rows count. */
  private static final List<String> OTHER_JOINS =
      List.of(
          "SELECT a.id, a.price, b.mode FROM " + FEW + " b JOIN t a ON a.id = b.id AND a.good",
          "SELECT a.flag, COUNT(*) AS n, COUNT(b.id) AS m FROM t a FULL JOIN "
              + FEW
              + " b ON a.id = b.id GROUP BY a.flag",
          "SELECT a.id, a.price FROM t a JOIN (SELECT id FROM t WHERE price = 79.195) b"
              + " ON a.id = b.id",
          "SELECT a.id, b.mode FROM t a RIGHT JOIN " + FEW + " b ON a.id = b.id + 0",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE a.small NOT IN (SELECT small FROM t WHERE"
              + " price = 79.19) GROUP BY a.flag",
          "SELECT COUNT(*) AS n FROM t a WHERE a.small NOT IN (SELECT small FROM t WHERE price = 0)",
          "SELECT COUNT(*) AS n, SUM(b.small) AS s FROM t a JOIN t b ON a.id = b.id + 1",
          "SELECT a.id, b.mode, c.mode AS other FROM t a JOIN "
              + FEW
              + " b ON a.id = b.id LEFT JOIN "
              + FEW
              + " c ON a.id = c.id + 1 ORDER BY a.id LIMIT 4");

  @TempDir private static Path directory;
  private static NdpFiles files;

  @BeforeAll
  static void write() throws Exception {
    files = new NdpFiles(directory);
  }

  @AfterAll
  static void close() throws Exception {
    files.close();
  }

  private static NdpRuns runs(String... more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--slots=2",
                "--columnar=distributed",
                "--broadcastJoinBytes=0",
                "--passOptions=keepExchanges=true,broadcastJoinBytes=60000"));
    options.addAll(List.of(more));
    return new NdpRuns(files.ddl("parquet"), options.toArray(new String[0]));
  }

  private static String explained(NdpRuns runs, String query) {
    Pipeline pipeline = runs.pipeline();
    runs.apply(pipeline, "Query", query);
    return NemoRunner.fromOptions(pipeline.getOptions()).explain(pipeline, 1_000);
  }

  @Test
  void theSmallSideIsBroadcastAndFiltersTheScanOfTheOther() {
    for (String query : BROADCAST_JOINS) {
      assertThat(explained(runs(), query)).as(query).contains(BROADCAST);
    }
    NdpRuns.Outcome outcome = runs().outcome(BROADCAST_JOINS.subList(0, 1));
    assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_SKIPPED)).isEqualTo(4);
  }

  @Test
  void thePipelinesOptionIsThatOfThePass() {
    String query = BROADCAST_JOINS.get(0);
    NdpRuns none =
        new NdpRuns(
            files.ddl("parquet"), "--slots=2", "--columnar=distributed", "--broadcastJoinBytes=0");
    assertThat(explained(none, query)).doesNotContain(BROADCAST).doesNotContain("are shuffled: ");
    NdpRuns few =
        new NdpRuns(
            files.ddl("parquet"),
            "--slots=2",
            "--columnar=distributed",
            "--broadcastJoinBytes=1000");
    assertThat(explained(few, query))
        .doesNotContain(BROADCAST)
        .contains("are shuffled: none is known to have 0.0 MB or less");
    assertThat(BuildSidePass.BROADCAST_JOIN_BYTES.defaultValue())
        .isEqualTo(
            PipelineOptionsFactory.create().as(NemoPipelineOptions.class).getBroadcastJoinBytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Default", "LargeShuffle", "SamplingLargeShuffleSkew"})
  void answersAreThoseOfDuckDbForAllPolicies(String policy) throws Exception {
    List<String> all = new ArrayList<>(BROADCAST_JOINS);
    all.addAll(OTHER_JOINS);
    NdpRuns.Outcome outcome = runs("--optimizationPolicy=" + policy).outcome(all);
    for (String query : all) {
      assertThat(outcome.rows().get(query)).as(query).isEqualTo(files.answer(query));
    }
  }

  /** Of a collection only what it is made of tells its size, and not to the planner. */
  @Test
  void aCollectionOfKnownSizeIsBroadcast() throws Exception {
    String collection = "SELECT id, small, flag, mode FROM t WHERE MOD(id, 3) = 0";
    String query =
        "SELECT t.flag, t.mode, COUNT(*) AS n, SUM(c.id) AS s, MAX(t.price) AS p, MAX(t.shipped) AS d"
            + " FROM t JOIN c ON t.id = c.small GROUP BY t.flag, t.mode";
    NdpRuns runs =
        NdpRuns.besideCollection(
            files.ddl("parquet"),
            collection,
            UnaryOperator.identity(),
            "--slots=2",
            "--columnar=distributed",
            "--broadcastJoinBytes=0",
            "--passOptions=keepExchanges=true,broadcastJoinBytes=500000");
    assertThat(explained(runs, query)).contains(BROADCAST);
    assertThat(runs.run(List.of(query)).get(query))
        .isEqualTo(
            files.answer("WITH c AS (" + collection.replace("MOD(id, 3)", "id % 3") + ") " + query))
        .isNotEmpty();
  }
}
