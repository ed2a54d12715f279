// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Expression;
import dev.anemone.ir.relational.Expression.Arithmetic;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.rows.ArrowRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NdpEngineTest {

  private static final RowType ROW =
      RowType.of(Field.nullable("id", SimpleType.INT32), Field.nullable("name", SimpleType.STRING));

  @TempDir Path directory;
  private Path work;
  private NdpEngine engine;

  @BeforeEach
  void open() throws IOException {
    work = Files.createDirectory(directory.resolve("work"));
    engine = new NdpEngine(TestLimits.in(work));
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    engine.close();
    try (var left = Files.list(work)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void quotedNullsAreValuesAndEmptyOnesAreNull() throws IOException {
    Table table = text("1,\n2,\"\"\n,x\n", CsvFormat.of(','), ROW);
    assertThat(rows(RelationalPlan.of(ROW), table, Split.WHOLE))
        .containsExactly(row(1, null), row(2, ""), row(null, "x"));
  }

  @Test
  void compressedFilesAreReadAsAWhole() throws IOException {
    Path file = directory.resolve("table.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("id,name\n1,a\n2,b\n".getBytes(StandardCharsets.UTF_8));
    }
    CsvFormat format =
        CsvFormat.of(',').withHeader(true).withCompression(CsvFormat.Compression.GZIP);
    Table table = new Table(file, format, ROW);
    assertThat(rows(RelationalPlan.of(ROW), table, Split.WHOLE))
        .containsExactly(row(1, "a"), row(2, "b"));
    assertThatThrownBy(() -> engine.run(RelationalPlan.of(ROW), table, new Split(3, 5)))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("cannot be divided");
  }

  @Test
  void anAnswerIsAStreamOfArrow() throws IOException {
    Table table = text("1,a\n2,b\n", CsvFormat.of(','), ROW);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PlanAnswer answer = engine.run(RelationalPlan.of(ROW), table, Split.WHOLE)) {
      assertThat(answer.writeTo(Channels.newChannel(bytes))).isEqualTo(bytes.size());
      assertThat(answer.rows()).isEqualTo(2);
    }
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator)) {
      assertThat(reader.getVectorSchemaRoot().getSchema()).isEqualTo(ArrowTypes.schemaOf(ROW));
      assertThat(reader.loadNextBatch()).isTrue();
      assertThat(ArrowRows.of(reader.getVectorSchemaRoot(), ROW))
          .containsExactly(row(1, "a"), row(2, "b"));
    }
  }

  @Test
  void dataThatIsNotWhatTheTableSaysFailsWithTheLine() throws IOException {
    Table table = text("1,a\nx,b\n", CsvFormat.of(','), ROW);
    assertThatThrownBy(() -> rows(RelationalPlan.of(ROW), table, Split.WHOLE))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("CSV Error on Line: 2")
        .hasMessageContaining("x,b");
    Table narrow = text("1,a,b\n", CsvFormat.of(','), ROW);
    assertThatThrownBy(() -> rows(RelationalPlan.of(ROW), narrow, Split.WHOLE))
        .hasMessageContaining("CSV Error on Line: 1");
  }

  @Test
  void plansOfOtherTablesAndWholeAggregatesAreRefused() throws IOException {
    Table table = text("1,a\n", CsvFormat.of(','), ROW);
    refused(
        RelationalPlan.of(RowType.of(Field.nullable("key", SimpleType.INT32))),
        table,
        "there is no column key; there are id, name");
    refused(
        RelationalPlan.of(RowType.of(Field.nullable("id", SimpleType.INT64))),
        table,
        "reads column id as int64, and the table has it as int32");
    Aggregate count = Aggregate.complete(List.of(), List.of(AggregateCall.countRows("rows")));
    refused(RelationalPlan.of(ROW, count), table, "must be a partial one and the last");
    refused(
        RelationalPlan.of(
            ROW, count.partialHalf(), new Project(List.of(NamedExpression.column("rows")))),
        table,
        "must be a partial one and the last");
  }

  @Test
  void sumsThatDoNotFitFail() throws IOException {
    String nines = "9".repeat(38);
    failsToSum(nines + "\n1\n", new DecimalType(38, 0), "does not fit in DECIMAL(38)");
    failsToSum((nines + "\n").repeat(3), new DecimalType(38, 0), "Overflow");
    failsToSum(Long.MAX_VALUE + "\n1\n", SimpleType.INT64, "INT64");
    assertThat(sum((Long.MAX_VALUE + "\n").repeat(2), SimpleType.INT64, AggregateFunction.AVG))
        .containsExactly(
            row(BigDecimal.valueOf(Long.MAX_VALUE).multiply(BigDecimal.valueOf(2)), 2L));
  }

  @Test
  void productsOfMoreThanEighteenDigitsAreExact() throws IOException {
    DecimalType type = new DecimalType(15, 2);
    RowType columns = RowType.of(Field.nullable("x", type));
    Table table = text("9999999999999.99\n", CsvFormat.of(','), columns);
    RelationalPlan square =
        RelationalPlan.of(columns, project(Arithmetic.Operator.MULTIPLY, new Column("x")));
    assertThat(rows(square, table, Split.WHOLE))
        .containsExactly(row(new BigDecimal("99999999999999800000000000.0001")));
  }

  /** DuckDB's 2.0 reads such a column as one of the two types, and fails at the other. */
  @Test
  void aColumnOfTextCanBeCastInTwoWays() throws IOException {
    DecimalType wide = new DecimalType(30, 1);
    RowType columns = RowType.of(Field.nullable("x", new DecimalType(10, 0)));
    Expression sum =
        new Arithmetic(
            Arithmetic.Operator.ADD,
            new Column("x"),
            Literal.of(new DecimalType(6, 2), new BigDecimal("689.65")));
    RelationalPlan plan =
        RelationalPlan.of(
            columns,
            new Project(
                List.of(
                    new NamedExpression("key", sum),
                    new NamedExpression("wide", new Expression.Cast(new Column("x"), wide)))),
            Aggregate.complete(
                    List.of("key"),
                    List.of(AggregateCall.of("largest", AggregateFunction.MAX, "wide")))
                .partialHalf());
    assertThat(rows(plan, text("7\n8\n7\n", CsvFormat.of(','), columns), Split.WHOLE))
        .containsExactlyInAnyOrder(
            row(new BigDecimal("696.65"), new BigDecimal("7.0")),
            row(new BigDecimal("697.65"), new BigDecimal("8.0")));
  }

  @Test
  void divisionByZeroFails() throws IOException {
    RowType columns = RowType.of(Field.nullable("x", SimpleType.INT32));
    Table table = text("1\n0\n", CsvFormat.of(','), columns);
    RelationalPlan quotient =
        RelationalPlan.of(columns, project(Arithmetic.Operator.DIVIDE, new Column("x")));
    assertThatThrownBy(() -> rows(quotient, table, Split.WHOLE))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining("division by zero");
  }

  @Test
  void aPlanThatTakesTooLongIsStopped() throws IOException {
    Table table = text("1,aaaaaaaaaaaaaaaaaaaa\n".repeat(200_000), CsvFormat.of(','), ROW);
    NdpEngineLimits hasty =
        new NdpEngineLimits(1, 256L << 20, 1L << 30, Duration.ofMillis(1), work);
    try (NdpEngine impatient = new NdpEngine(hasty)) {
      assertThatThrownBy(
              () -> {
                try (PlanAnswer answer =
                    impatient.run(
                        RelationalPlan.of(
                            ROW,
                            new Filter(
                                new Expression.Like(
                                    new Column("name"), "%b%c%", Optional.empty()))),
                        table,
                        Split.WHOLE)) {
                  answer.loadNextBatch();
                }
              })
          .isInstanceOf(NdpEngineException.class)
          .hasMessageContaining("stopped after 1 ms, its deadline");
    }
  }

  private void failsToSum(String lines, DataType type, String reason) {
    assertThatThrownBy(() -> sum(lines, type, AggregateFunction.SUM))
        .isInstanceOf(NdpEngineException.class)
        .hasMessageContaining(reason);
  }

  private List<List<Object>> sum(String lines, DataType type, AggregateFunction function)
      throws IOException {
    RowType columns = RowType.of(Field.nullable("x", type));
    Aggregate sum =
        Aggregate.complete(List.of(), List.of(AggregateCall.of("result", function, "x")))
            .partialHalf();
    return rows(
        RelationalPlan.of(columns, sum), text(lines, CsvFormat.of(','), columns), Split.WHOLE);
  }

  private static Project project(Arithmetic.Operator operator, Expression right) {
    return new Project(
        List.of(new NamedExpression("y", new Arithmetic(operator, new Column("x"), right))));
  }

  private void refused(RelationalPlan plan, Table table, String reason) {
    assertThatThrownBy(() -> engine.run(plan, table, Split.WHOLE))
        .isInstanceOf(InvalidPlanException.class)
        .hasMessageContaining(reason);
  }

  private Table text(String text, CsvFormat format, RowType columns) throws IOException {
    Path file = Files.createTempFile(directory, "table", ".csv");
    Files.writeString(file, text);
    return new Table(file, format, columns);
  }

  private List<List<Object>> rows(RelationalPlan plan, Table table, Split split) {
    List<List<Object>> rows = new ArrayList<>();
    try (PlanAnswer answer = engine.run(plan, table, split)) {
      while (answer.loadNextBatch()) {
        rows.addAll(ArrowRows.of(answer.root(), answer.type()));
      }
    }
    return rows;
  }

  private static List<Object> row(Object... values) {
    List<Object> row = new ArrayList<>();
    Collections.addAll(row, values);
    return row;
  }
}
