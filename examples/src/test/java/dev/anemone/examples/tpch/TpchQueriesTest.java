package dev.anemone.examples.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.anemone.examples.sql.SortKey;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The queries on NemoRunner give what DuckDB gives for the standard text on the same files: sums,
 * counts, keys, dates and texts exactly, averages to a relative error of 1e-6.
 */
class TpchQueriesTest {
  private static final double AVERAGE_ERROR = 1e-6;

  static Stream<Arguments> queriesAndScales() {
    return Stream.of(0.01, 0.1)
        .flatMap(scale -> TpchQuery.ALL.stream().map(query -> Arguments.of(query, scale)));
  }

  @ParameterizedTest(name = "query {0} at scale {1}")
  @MethodSource("queriesAndScales")
  void givesTheAnswerOfDuckDb(TpchQuery query, double scale) throws IOException, SQLException {
    assertAnswerOfDuckDb(query, TestData.scale(scale));
  }

  static Stream<TpchQuery> queries() {
    return TpchQuery.ALL.stream();
  }

  @ParameterizedTest(name = "query {0} on skewed data")
  @MethodSource("queries")
  void givesTheAnswerOfDuckDbOnSkewedData(TpchQuery query) throws IOException, SQLException {
    assertAnswerOfDuckDb(query, TestData.skewed(0.01));
  }

  static Stream<Arguments> joinsAndPolicies() {
    return Stream.of("DataSkew", "SamplingLargeShuffleSkew")
        .flatMap(
            policy ->
                Stream.of(3, 10).map(number -> Arguments.of(TpchQuery.byNumber(number), policy)));
  }

  /**
   * With few partitions hot ones have many keys besides the hot one, and are divided all the same.
   */
  @ParameterizedTest(name = "query {0} on skewed data with {1}")
  @MethodSource("joinsAndPolicies")
  void givesTheAnswerOfDuckDbWhereHotPartitionsAreDivided(TpchQuery query, String policy)
      throws IOException, SQLException {
    assertAnswerOfDuckDb(
        query,
        TestData.skewed(0.01),
        "--optimizationPolicy=" + policy,
        "--parallelism=8",
        "--passOptions=keyRangeMultiplier=2");
  }

  private static void assertAnswerOfDuckDb(
      TpchQuery query, TpchDataSet dataSet, String... arguments) throws IOException, SQLException {
    String[] all =
        Stream.concat(Stream.of("--runner=NemoRunner"), Stream.of(arguments))
            .toArray(String[]::new);
    Tpch.Result result = Tpch.run(query, dataSet, PipelineOptionsFactory.fromArgs(all).create());

    List<List<Object>> expected;
    try (DuckDb duckDb = new DuckDb(dataSet)) {
      expected = duckDb.standard(query);
    }
    assertThat(result.rows()).hasSameSizeAs(expected);
    assertThat(expected).isNotEmpty();
    for (Row row : result.rows()) {
      // Rows that are equal in the keys of the ORDER BY may come in any order.
      assertThat(expected).anySatisfy(other -> assertSame(result.schema(), row, other));
    }
    for (List<Object> other : expected) {
      assertThat(result.rows()).anySatisfy(row -> assertSame(result.schema(), row, other));
    }
    for (int position = 0; position < expected.size(); position++) {
      for (SortKey key : query.orderBy()) {
        int column = result.schema().indexOf(key.column());
        assertValue(
            key.column(),
            result.rows().get(position).getValue(column),
            expected.get(position).get(column));
      }
    }
  }

  private static void assertSame(Schema schema, Row row, List<Object> expected) {
    assertThat(expected).hasSize(schema.getFieldCount());
    for (int column = 0; column < schema.getFieldCount(); column++) {
      assertValue(schema.getField(column).getName(), row.getValue(column), expected.get(column));
    }
  }

  private static void assertValue(String column, Object actual, Object expected) {
    if (column.startsWith("avg_")) {
      double average = ((Number) expected).doubleValue();
      assertThat(((Number) actual).doubleValue())
          .as(column)
          .isCloseTo(average, within(Math.abs(average) * AVERAGE_ERROR));
    } else if (expected instanceof BigDecimal decimal) {
      assertThat((BigDecimal) actual).as(column).isEqualByComparingTo(decimal);
    } else if (expected instanceof Number number) {
      assertThat(new BigDecimal(actual.toString()))
          .as(column)
          .isEqualByComparingTo(new BigDecimal(number.toString()));
    } else {
      assertThat(actual).as(column).isEqualTo(expected);
    }
  }
}
