// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Aggregates below joins that want few of their groups. */
class WantedGroupsTest {

  /** Queries that want few groups, over each kind of join. */
  private static final List<String> FEW =
      List.of(
          // An inner join, as a sub-query that depends on the row around it becomes.
          "SELECT id FROM t WHERE mode = 'AIR' AND flag = 'A' AND price < (SELECT 0.5 * AVG(u.price)"
              + " FROM t u WHERE u.small = t.small)",
          "SELECT a.id, b.n FROM t a LEFT JOIN (SELECT small, COUNT(*) AS n FROM t GROUP BY small) b"
              + " ON a.small = b.small WHERE a.mode = 'MAIL' AND a.price < 40",
          "SELECT id FROM t WHERE mode = 'AIR' AND good AND small IN (SELECT small FROM t GROUP BY"
              + " small HAVING COUNT(*) > 7)",
          // Rows without a key have no group, and no partner.
          "SELECT id FROM t WHERE flag = 'N' AND id < 900 AND mode IS NULL AND NOT EXISTS (SELECT 1"
              + " FROM (SELECT small, MAX(id) AS m FROM t GROUP BY small) b WHERE b.small = t.small"
              + " AND b.m > 39990)");

  /** What must see all groups. */
  private static final List<String> ALL =
      List.of(
          "SELECT b.small, b.n, a.id FROM (SELECT * FROM t WHERE mode = 'AIR' AND id < 20) a RIGHT"
              + " JOIN (SELECT small, COUNT(*) AS n FROM t GROUP BY small) b ON a.small = b.small",
          "SELECT a.id, b.r FROM t a, (SELECT small, RANK() OVER (ORDER BY COUNT(*), small) AS r FROM"
              + " t GROUP BY small) b WHERE a.small = b.small AND a.mode = 'AIR' AND a.price < 20",
          // Nothing is saved where the other side is not filtered.
          "SELECT a.id FROM t a, (SELECT small, MAX(price) AS p FROM t GROUP BY small) b"
              + " WHERE a.small = b.small AND a.price = b.p");

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

  @Test
  void areAggregatedAlone() {
    for (String query : FEW) {
      assertThat(plan(query))
          .as(query)
          .containsPattern("aggregate by.*\\n +project .*\\n +semi join");
    }
  }

  @Test
  void areNotToldWhereAllGroupsCount() {
    for (String query : ALL) {
      assertThat(plan(query)).as(query).contains("aggregate by").doesNotContain("semi join");
    }
  }

  @Test
  void giveWhatDuckDbGives() throws Exception {
    List<String> queries = new ArrayList<>(FEW);
    queries.addAll(ALL);
    Map<String, List<String>> results = new NdpRuns(files.ddl("parquet")).run(queries);
    for (String query : queries) {
      assertThat(results.get(query)).as(query).isEqualTo(files.answer(query)).isNotEmpty();
    }
  }

  private static String plan(String query) {
    return new DeclaredPlans(List.of(new NdpTableProvider())).of(files.ddl("parquet"), query);
  }
}
