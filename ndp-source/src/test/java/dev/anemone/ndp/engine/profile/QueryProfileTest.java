// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryProfileTest {

  @ParameterizedTest
  @ValueSource(strings = {"plain", "é", "日本", "😀", "a\"b\\\n\t\u0001"})
  void tellsOfQueriesOverAnyText(String text) throws SQLException {
    String letters = "'" + text.repeat(20) + "' || (range % 10)";
    assertThat(
            operators(
                "CREATE TABLE t AS SELECT " + letters + " AS x FROM range(1000)",
                "SELECT x FROM t WHERE x = '" + text.repeat(20) + "1' OR x = 'b'"))
        .filteredOn(operator -> operator.name().equals("TABLE_SCAN"))
        .singleElement()
        .satisfies(scan -> assertThat(scan.rows()).isPositive())
        .satisfies(scan -> assertThat(scan.estimated()).hasValue(1000));
  }

  @Test
  void tellsNothingOfAnAccountWhoseEndIsLost() throws SQLException {
    assertThat(
            operators(
                "CREATE TABLE t AS SELECT range::VARCHAR AS x FROM range(1000)",
                "SELECT x FROM t WHERE x || x = '" + "😀".repeat(10_000) + "1'"))
        .isEmpty();
  }

  @Test
  void tellsOfDeepPlans() throws SQLException {
    String query = "SELECT x FROM t";
    for (int i = 0; i < 300; i++) {
      query = "SELECT row_number() OVER (ORDER BY x % 7) AS x FROM (" + query + ")";
    }
    assertThat(operators("CREATE TABLE t AS SELECT range AS x FROM range(10)", query))
        .hasSizeGreaterThan(300);
  }

  @Test
  void anEstimateBeyondLongsIsNone() throws SQLException {
    StringBuilder query =
        new StringBuilder("SELECT a.x + t9.x AS s FROM (SELECT x FROM t WHERE x % 7 = 9) a");
    for (int i = 0; i < 10; i++) {
      query.append(", t t").append(i);
    }
    assertThat(
            operators("CREATE TABLE t AS SELECT range AS x FROM range(100)", query + " ORDER BY s"))
        .filteredOn(operator -> operator.name().equals("ORDER_BY"))
        .singleElement()
        .satisfies(sort -> assertThat(sort.rows()).isZero())
        .satisfies(sort -> assertThat(sort.estimated()).isEmpty());
  }

  private static List<OperatorRows> operators(String table, String query) throws SQLException {
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(table);
      statement.execute("SET enable_profiling = 'no_output'");
      try (ResultSet rows = statement.executeQuery(query)) {
        while (rows.next()) {
          assertThat(rows.getString(1)).isNotNull();
        }
      }
      return QueryProfile.of(database);
    }
  }
}
