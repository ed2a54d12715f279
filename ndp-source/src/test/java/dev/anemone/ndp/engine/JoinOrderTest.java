// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ir.relational.query.Relation;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.database.JoinOrder;
import dev.anemone.ndp.engine.database.LockedDatabase;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine orders the joins of tables that it knows the size of, and no others. */
class JoinOrderTest {

  private static final RowType ROWS = RowType.of(Field.nullable("id", SimpleType.INT32));

  private static final Pattern LEAF =
      Pattern.compile(
          "\"children\": \\[\\],.*?\"Estimated Cardinality\": \"(\\d+)\"", Pattern.DOTALL);

  @TempDir Path directory;

  @Test
  void theEngineKeepsTheSmallerSideAndTheQueryItsSecond() throws SQLException {
    String join = "SELECT l.range, r.range FROM range(2) l JOIN range(10_000) r USING (range)";
    assertThat(rowsOfLeaves(JoinOrder.OF_THE_ENGINE, join)).containsExactly(10_000L, 2L);
    assertThat(rowsOfLeaves(JoinOrder.OF_THE_QUERY, join)).containsExactly(2L, 10_000L);
  }

  /** Why there are two orders; where this fails, the engine can order text, too. */
  @Test
  void theEngineDoesNotKnowTheSizeOfText() throws IOException, SQLException {
    Path file = Files.writeString(directory.resolve("text"), "1\n".repeat(10_000));
    assertThat(
            rowsOfLeaves(
                JoinOrder.OF_THE_ENGINE,
                "FROM read_csv('%s', auto_detect = false, columns = {'id': 'INTEGER'})"
                    .formatted(file)))
        .containsExactly(42L);
  }

  @Test
  void oneTableOfTextDecides() {
    assertThat(order(new ParquetFormat(), new ParquetFormat())).isEqualTo(JoinOrder.OF_THE_ENGINE);
    assertThat(order(new ParquetFormat(), CsvFormat.of(','))).isEqualTo(JoinOrder.OF_THE_QUERY);
  }

  private JoinOrder order(FileFormat left, FileFormat right) {
    RelationalQuery query =
        new RelationalQuery(
            new Relation.Union(
                List.of(new Relation.Input("left", ROWS), new Relation.Input("right", ROWS))));
    return new QueryInput(
            query,
            Map.of(
                "left", List.of(new Table(directory.resolve("left"), left, ROWS)),
                "right", List.of(new Table(directory.resolve("right"), right, ROWS))),
            Map.of())
        .joinOrder();
  }

  /** What the engine thinks that the tables of a query have, the first side of a join first. */
  private List<Long> rowsOfLeaves(JoinOrder order, String query) throws SQLException {
    try (Connection database =
            LockedDatabase.open(
                TestLimits.in(directory),
                List.of(directory.resolve("text")),
                directory.resolve("spill"),
                order);
        Statement statement = database.createStatement();
        ResultSet plan = statement.executeQuery("EXPLAIN (FORMAT json) " + query)) {
      assertThat(plan.next()).isTrue();
      return LEAF.matcher(plan.getString(2))
          .results()
          .map(leaf -> Long.valueOf(leaf.group(1)))
          .toList();
    }
  }
}
