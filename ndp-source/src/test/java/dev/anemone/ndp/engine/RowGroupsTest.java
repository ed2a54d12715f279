// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.rows.ArrowRows;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row groups that hold nothing that a plan wants are not read. */
class RowGroupsTest {

  private static final int GROUP = 2_048;
  private static final int GROUPS = 30;

  private static final RowType ROW =
      RowType.of(
          Field.nullable("id", SimpleType.INT64),
          Field.nullable("small", SimpleType.INT32),
          Field.nullable("price", new DecimalType(15, 2)),
          Field.nullable("day", SimpleType.DATE),
          Field.nullable("name", SimpleType.STRING));

  @TempDir Path directory;
  private Path file;
  private NdpEngine engine;

  /** Numbers that rise from row to row, the first of them negative, and some nulls. */
  @BeforeEach
  void write() throws IOException, SQLException {
    file = directory.resolve("t.parquet");
    engine = new NdpEngine(TestLimits.in(Files.createDirectory(directory.resolve("work"))));
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute("SET threads = 1");
      statement.execute(
          "COPY (SELECT i - 5000 AS id, CASE WHEN i % 7 = 0 THEN NULL ELSE CAST(i // 100 AS INTEGER)"
              + " END AS small, CAST((i - 5000) / 4.0 AS DECIMAL(15, 2)) AS price,"
              + " DATE '1969-06-01' + CAST(i // 50 AS INTEGER) AS day, 'name ' || i AS name FROM"
              + " range("
              + GROUP * GROUPS
              + ") AS t(i)) TO '"
              + file
              + "' (FORMAT parquet, ROW_GROUP_SIZE "
              + GROUP
              + ")");
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private record Answer(List<List<Object>> rows, int groups, int skipped) {}

  private Answer here(RelationalPlan plan, Split split) {
    return answer(engine.run(plan, new Table(file, new ParquetFormat(), ROW), split));
  }

  private Answer elsewhere(RelationalPlan plan, Split split) throws IOException {
    try (SplitBytes bytes = SplitBytes.of(file)) {
      return answer(engine.run(plan, new ParquetFormat(), ROW, bytes, split));
    }
  }

  private static Answer answer(PlanAnswer running) {
    List<List<Object>> rows = new ArrayList<>();
    try (running) {
      while (running.loadNextBatch()) {
        rows.addAll(ArrowRows.of(running.root(), running.type()));
      }
      return new Answer(rows, running.rowGroups(), running.rowGroupsSkipped());
    }
  }

  private static RelationalPlan where(Expression... conditions) {
    return new RelationalPlan(
        ROW, List.of(conditions).stream().<RelationalOperator>map(Filter::new).toList());
  }

  private void reads(Expression condition, int groups, int rows) throws IOException {
    for (Answer answer :
        List.of(here(where(condition), Split.WHOLE), elsewhere(where(condition), Split.WHOLE))) {
      assertThat(answer.groups()).as(condition.toString()).isEqualTo(groups);
      assertThat(answer.skipped()).as(condition.toString()).isEqualTo(GROUPS - groups);
      assertThat(answer.rows()).as(condition.toString()).hasSize(rows);
    }
  }

  private static Expression in(Literal... keys) {
    return new Expression.In(new Column("id"), List.of(keys));
  }

  private static Expression compared(String column, Comparison.Relation relation, Literal value) {
    return new Comparison(relation, new Column(column), value);
  }

  @Test
  void onlyGroupsThatCanHoldAKeyAreRead() throws IOException {
    reads(in(Literal.of(-5_000L), Literal.of(-4_999L), Literal.of(20_000L)), 2, 3);
    reads(in(Literal.of(-5_001L)), 0, 0);
    reads(
        new Expression.Between(new Column("id"), Literal.of(-5_000L), Literal.of(-4_000L)),
        1,
        1_001);
    reads(
        new Expression.Between(
            new Column("price"),
            Literal.of(new DecimalType(15, 2), new BigDecimal("-0.25")),
            Literal.of(new DecimalType(15, 2), new BigDecimal("0.25"))),
        1,
        3);
    reads(compared("day", Comparison.Relation.LESS, Literal.of(LocalDate.of(1969, 6, 3))), 1, 100);
    reads(compared("small", Comparison.Relation.EQUAL, Literal.of(0)), 1, 85);
    reads(Literal.of(false), 0, 0);
  }

  @Test
  void allGroupsAreReadWhereNothingIsKnown() throws IOException {
    reads(compared("name", Comparison.Relation.EQUAL, Literal.of("name 7")), GROUPS, 1);
    reads(new Expression.IsNull(new Column("small")), GROUPS, (GROUP * GROUPS + 6) / 7);
    reads(new Expression.Or(List.of(in(Literal.of(1L)), in(Literal.of(2L)))), GROUPS, 2);
  }

  @Test
  void aFilterBehindAnAggregateOrProjectionSaysNothingOfTheScan() {
    RelationalPlan plan =
        new RelationalPlan(
            ROW,
            List.of(
                new Project(List.of(new NamedExpression("id", new Column("small")))),
                new Filter(
                    new Comparison(Comparison.Relation.EQUAL, new Column("id"), Literal.of(600)))));
    assertThat(here(plan, Split.WHOLE).skipped()).isZero();
  }

  /** Whatever is read, in whatever splits, the rows are those that were asked for. */
  @Test
  void rowsAreTheSameForAnyKeysAndSplits() throws IOException {
    Random random = new Random(11);
    long size = Files.size(file);
    for (int i = 0; i < 60; i++) {
      int count = 1 + random.nextInt(25);
      List<Long> keys =
          LongStream.generate(() -> random.nextLong(-6_000, GROUP * GROUPS - 4_000))
              .limit(count)
              .distinct()
              .boxed()
              .toList();
      RelationalPlan plan = where(in(keys.stream().map(Literal::of).toArray(Literal[]::new)));
      long middle = random.nextLong(size);
      List<Object> ids = new ArrayList<>();
      for (Split split : List.of(new Split(0, middle), new Split(middle, size))) {
        Answer answer = random.nextBoolean() ? here(plan, split) : elsewhere(plan, split);
        answer.rows().forEach(row -> ids.add(row.get(0)));
        assertThat(answer.groups()).isLessThanOrEqualTo(GROUPS);
      }
      assertThat(ids)
          .containsExactlyInAnyOrderElementsOf(
              keys.stream().filter(key -> key >= -5_000 && key < GROUP * GROUPS - 5_000).toList());
    }
  }
}
