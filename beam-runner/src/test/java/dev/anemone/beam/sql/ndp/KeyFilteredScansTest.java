// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.ndp.NdpMetrics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Keys of the small side of a join decide what is read of the other one: a table whose ids rise
 * from row group to row group, joined with the rows of a price, of which there are few.
 */
@Tag("slow")
class KeyFilteredScansTest {

  /** Rows of it, all with ids below 8192, so in the first of five row groups. */
  private static final String FEW = "(SELECT id, small, mode FROM t WHERE price = 79.19)";

  /** Joins of which all rows of the table's side that have no match are left out. */
  private static final List<String> FILTERED =
      List.of(
          "SELECT a.id, a.price, b.mode FROM t a JOIN " + FEW + " b ON a.id = b.id",
          "SELECT a.id, a.price, b.mode FROM " + FEW + " b JOIN t a ON a.id = b.id AND a.good",
          "SELECT a.id, a.flag FROM t a WHERE a.id IN (SELECT id FROM t WHERE price = 79.19)",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE EXISTS (SELECT 1 FROM "
              + FEW
              + " b WHERE b.id = a.id) GROUP BY a.flag",
          "SELECT a.id, b.mode FROM t a RIGHT JOIN " + FEW + " b ON a.id = b.id + 0",
          "SELECT a.id, a.price FROM t a JOIN (SELECT id FROM t WHERE price = 79.195) b"
              + " ON a.id = b.id");

  /** Joins that keep rows of the table's side, or decide by rows that are not there. */
  private static final List<String> KEPT =
      List.of(
          "SELECT a.flag, COUNT(*) AS n, COUNT(b.id) AS m FROM t a LEFT JOIN "
              + FEW
              + " b ON a.id = b.id GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n, COUNT(b.id) AS m FROM "
              + FEW
              + " b RIGHT JOIN t a ON a.id = b.id GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n, COUNT(b.id) AS m FROM t a FULL JOIN "
              + FEW
              + " b ON a.id = b.id GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE NOT EXISTS (SELECT 1 FROM "
              + FEW
              + " b WHERE b.id = a.id) GROUP BY a.flag",
          "SELECT a.flag, COUNT(*) AS n FROM t a WHERE a.small NOT IN (SELECT small FROM t WHERE"
              + " price = 79.19) GROUP BY a.flag",
          "SELECT COUNT(*) AS n FROM t a WHERE a.small NOT IN (SELECT small FROM t WHERE price = 0)");

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

  private static NdpRuns runs(String format, String... more) {
    List<String> options =
        new ArrayList<>(
            List.of("--slots=2", "--columnar=distributed", "--broadcastJoinBytes=700000"));
    options.addAll(List.of(more));
    return new NdpRuns(files.ddl(format), options.toArray(new String[0]));
  }

  private static NdpRuns.Outcome right(NdpRuns runs, List<String> queries) throws Exception {
    NdpRuns.Outcome outcome = runs.outcome(queries);
    for (String query : queries) {
      assertThat(outcome.rows().get(query)).as(query).isEqualTo(files.answer(query));
    }
    return outcome;
  }

  @Test
  void rowGroupsWithoutAKeyAreNotRead() throws Exception {
    for (String query : FILTERED.subList(0, 4)) {
      NdpRuns.Outcome outcome = right(runs("parquet"), List.of(query));
      // The small side is a scan of all five, too, because prices do not rise.
      assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_READ)).as(query).isEqualTo(6);
      assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_SKIPPED)).as(query).isEqualTo(4);
    }
  }

  @Test
  void nothingIsReadWhereThereIsNoKey() throws Exception {
    NdpRuns.Outcome outcome = right(runs("parquet"), FILTERED.subList(5, 6));
    assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_READ)).isEqualTo(5);
    assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_SKIPPED)).isEqualTo(5);
  }

  @Test
  void allIsReadOfASideThatAJoinKeeps() throws Exception {
    NdpRuns.Outcome outcome = right(runs("parquet"), KEPT);
    assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_SKIPPED)).isZero();
  }

  @Test
  void aRangeOfKeysIsEnoughWhereThereAreMany() throws Exception {
    String query =
        "SELECT a.id, b.mode FROM t a JOIN (SELECT id, mode FROM t WHERE shipped < DATE"
            + " '1992-01-20' AND id < 20000) b ON a.id = b.id";
    for (int most : List.of(1, 1_000)) {
      NdpRuns.Outcome outcome =
          right(runs("parquet", "--passOptions=keyFilterValues=" + most), List.of(query));
      assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_SKIPPED)).isPositive();
    }
  }

  @Test
  void allIsReadWhereNoKeyMayBeLookedFor() throws Exception {
    NdpRuns.Outcome outcome = right(runs("parquet", "--passOptions=keyFilterValues=0"), FILTERED);
    assertThat(outcome.counter(NdpMetrics.ROW_GROUPS_SKIPPED)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Default", "SamplingLargeShuffleSkew"})
  void answersAreTheSameForAllFormats(String policy) throws Exception {
    assertAnswersAreTheSameForAllFormats(policy);
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"LargeShuffle", "BasicPush"})
  void answersAreTheSameForAllFormatsWithFurtherPolicies(String policy) throws Exception {
    assertAnswersAreTheSameForAllFormats(policy);
  }

  private static void assertAnswersAreTheSameForAllFormats(String policy) throws Exception {
    List<String> all = new ArrayList<>(FILTERED);
    all.addAll(KEPT);
    right(runs("parquet", "--optimizationPolicy=" + policy), all);
    right(runs("csv", "--optimizationPolicy=" + policy), all);
  }
}
