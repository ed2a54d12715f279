// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.anemone.beam.ndp.FileSplit;
import dev.anemone.beam.ndp.NdpSpec;
import dev.anemone.beam.ndp.ProxyWaits;
import dev.anemone.beam.ndp.StorageAccess;
import dev.anemone.ir.property.PushdownCosts;
import dev.anemone.ir.relational.AggregateCall;
import dev.anemone.ir.relational.AggregateFunction;
import dev.anemone.ir.relational.Expression.Column;
import dev.anemone.ir.relational.Expression.Comparison;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.RelationalOperator;
import dev.anemone.ir.relational.RelationalOperator.Aggregate;
import dev.anemone.ir.relational.RelationalOperator.Filter;
import dev.anemone.ir.relational.RelationalOperator.NamedExpression;
import dev.anemone.ir.relational.RelationalOperator.Project;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples of real files say what operators leave of a whole split. */
class OperatorTrialTest {

  private static final ProxyWaits WAITS =
      new ProxyWaits(Duration.ofMinutes(1), Duration.ofSeconds(20), Duration.ofSeconds(30));

  private static final int ROWS = 600_000;

  private static final RowType ROW =
      RowType.of(
          Field.nullable("id", SimpleType.INT64),
          Field.nullable("kind", SimpleType.INT64),
          Field.nullable("part", SimpleType.INT64),
          Field.nullable("name", SimpleType.STRING));

  /** A tenth of the rows. */
  private static final Filter FILTER =
      new Filter(new Comparison(Comparison.Relation.EQUAL, new Column("kind"), Literal.of(3L)));

  private static final Project PROJECT =
      new Project(List.of(NamedExpression.column("id"), NamedExpression.column("part")));

  private static final Aggregate TOTAL =
      Aggregate.complete(List.of(), List.of(AggregateCall.of("total", AggregateFunction.SUM, "id")))
          .partialHalf();

  @TempDir private static Path directory;

  @BeforeAll
  static void write() throws SQLException, IOException {
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      statement.execute(
          "CREATE TABLE t AS SELECT i AS id, i * 7919 % 10 AS kind, i * 7919 % 8000 AS part,"
              + " 'the name of ' || i % 97 AS name FROM range("
              + ROWS
              + ") AS r(i)");
      for (String format :
          List.of(
              "csv' (FORMAT csv, HEADER false",
              "csv.gz' (FORMAT csv, HEADER false, COMPRESSION gzip",
              "parquet' (FORMAT parquet, ROW_GROUP_SIZE 61440")) {
        statement.execute("COPY t TO '" + directory.resolve("t.") + format + ")");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "csv.gz", "parquet"})
  void saysWhatIsLeft(String suffix) throws IOException {
    long size = Files.size(file(suffix));
    OperatorTrial.Result result = result(suffix, List.of(FILTER, PROJECT, TOTAL));
    assertThat(result.operators())
        .extracting(PushdownCosts.Operator::name)
        .containsExactly("Filter", "Project", "Aggregate");
    double filtered = result.readBytes() * result.operators().get(0).selectivity();
    double projected = filtered * result.operators().get(1).selectivity();
    double total = projected * result.operators().get(2).selectivity();
    assertThat(result.readBytes()).isBetween(size * 0.5, size * 1.05);
    // Two numbers of eight bytes for each row that is left, with a bit each that says so.
    assertThat(projected).isCloseTo(ROWS / 10 * 16.25, within(ROWS * 0.3));
    assertThat(filtered).isGreaterThan(projected * 1.5);
    assertThat(total).isBetween(100.0, 2_000.0);
    assertThat(result.operators())
        .allMatch(operator -> operator.computeSecondsPerByte() >= 0)
        .allMatch(operator -> operator.computeSecondsPerByte() == operator.storageSecondsPerByte());
    assertThat(result.operators().get(0).computeSecondsPerByte()).isPositive();
  }

  @Test
  void groupsThatComeAgainAreNotCountedTwice() throws IOException {
    OperatorTrial.Result few = result("csv", List.of(by("kind")));
    OperatorTrial.Result many = result("csv", List.of(by("id")));
    OperatorTrial.Result some = result("csv", List.of(by("part")));
    assertThat(left(few)).as("ten groups").isLessThan(3_000);
    assertThat(left(many)).as("a group for each row").isGreaterThan(ROWS * 16.0);
    assertThat(left(some)).isLessThan(left(many)).isGreaterThan(left(few));
  }

  @Test
  void textThatCanOnlyBeReadAsAWholeIsNotSampled() throws IOException {
    long size = Files.size(file("csv"));
    for (FileFormat format :
        List.of(
            csv().withQuotedNewlines(true), csv().withCompression(CsvFormat.Compression.ZSTD))) {
      assertThat(
              SplitSample.of(
                  spec(format), split("csv", size), List.of(by("id")), new NetworkMeter(true)))
          .isEmpty();
    }
  }

  @Test
  void groupsAreLookedForInMore() throws IOException {
    FileSplit split = split("csv", Files.size(file("csv")));
    Aggregate all = Aggregate.complete(List.of(), List.of(AggregateCall.countRows("n")));
    for (RelationalOperator operator : List.of(all, by("id"))) {
      try (SplitSample sample =
          SplitSample.of(spec(csv()), split, List.of(operator), new NetworkMeter(false))
              .orElseThrow()) {
        assertThat(sample.storedBytes())
            .isCloseTo(operator == all ? 256 << 10 : 512 << 10, withinPercentage(1));
      }
    }
  }

  private static double left(OperatorTrial.Result result) {
    return result.readBytes() * result.operators().get(0).selectivity();
  }

  private static Aggregate by(String column) {
    return Aggregate.complete(List.of(column), List.of(AggregateCall.countRows("n"))).partialHalf();
  }

  private static OperatorTrial.Result result(String suffix, List<RelationalOperator> operators)
      throws IOException {
    NdpSpec spec =
        spec(
            switch (suffix) {
              case "csv" -> csv();
              case "csv.gz" -> csv().withCompression(CsvFormat.Compression.GZIP);
              default -> new ParquetFormat();
            });
    FileSplit split = split(suffix, Files.size(file(suffix)));
    NdpEngineLimits limits =
        new NdpEngineLimits(1, 128L << 20, 1L << 30, Duration.ofSeconds(60), directory);
    try (SplitSample sample =
            SplitSample.of(spec, split, operators, new NetworkMeter(true)).orElseThrow();
        NdpEngine engine = NdpEngine.ofOneJob(limits, 1)) {
      return new OperatorTrial(engine, 0, spec, sample).of(operators, split);
    }
  }

  private static CsvFormat csv() {
    return CsvFormat.of(',');
  }

  private static NdpSpec spec(FileFormat format) {
    return NdpSpec.of(
        format, ROW, ROW, new StorageAccess(List.of(), null, null, WAITS, List.of()), 0);
  }

  private static Path file(String suffix) {
    return directory.resolve("t." + suffix);
  }

  private static FileSplit split(String suffix, long size) {
    return new FileSplit(file(suffix).toString(), 0, size, size, List.of());
  }
}
