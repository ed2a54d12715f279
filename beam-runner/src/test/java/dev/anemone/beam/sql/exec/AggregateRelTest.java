// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class AggregateRelTest {
  private static final List<Row> ROWS = TestRows.random(new Random(20), 500);

  private static final String FUNCTIONS =
      "COUNT(*), COUNT(d), SUM(d), AVG(d), MIN(d), MAX(d), SUM(j), AVG(j), SUM(k), SUM(x), AVG(x),"
          + " MIN(dt), MAX(s), MAX(ts), MIN(b)";

  /** What the functions give for some rows. */
  private static List<Object> expected(List<Row> rows) {
    List<BigDecimal> decimals = values(rows, row -> row.getDecimal("d"));
    List<Double> doubles = values(rows, row -> row.getDouble("x"));
    List<Long> longs = values(rows, row -> row.getInt64("k"));
    BigDecimal sum = decimals.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
    int whole = rows.stream().mapToInt(row -> row.getInt32("j")).sum();
    double real = doubles.stream().mapToDouble(Double::doubleValue).sum();
    return Arrays.asList(
        (long) rows.size(),
        (long) decimals.size(),
        decimals.isEmpty() ? null : sum,
        decimals.isEmpty() ? null : sum.doubleValue() / decimals.size(),
        decimals.stream().min(Comparator.naturalOrder()).orElse(null),
        decimals.stream().max(Comparator.naturalOrder()).orElse(null),
        rows.isEmpty() ? null : whole,
        rows.isEmpty() ? null : whole / rows.size(),
        longs.stream().reduce(Long::sum).orElse(null),
        doubles.isEmpty() ? null : real,
        doubles.isEmpty() ? null : real / doubles.size(),
        values(rows, row -> row.getLogicalTypeValue("dt", LocalDate.class)).stream()
            .min(Comparator.naturalOrder())
            .orElse(null),
        values(rows, row -> row.getString("s")).stream()
            .max(Comparator.naturalOrder())
            .orElse(null),
        values(rows, row -> row.getDateTime("ts").toInstant()).stream()
            .max(Comparator.naturalOrder())
            .orElse(null),
        values(rows, row -> row.getBoolean("b")).stream()
            .min(Comparator.naturalOrder())
            .orElse(null));
  }

  private static <T> List<T> values(List<Row> rows, Function<Row, T> column) {
    List<T> values = new ArrayList<>();
    for (Row row : rows) {
      try {
        values.add(column.apply(row));
      } catch (NullPointerException nullTimestamp) {
        values.add(null);
      }
    }
    values.removeIf(Objects::isNull);
    return values;
  }

  private static boolean isSame(Object actual, Object expected) {
    if (actual instanceof Number number && expected instanceof Double real) {
      return Math.abs(number.doubleValue() - real) <= 1e-9 * Math.max(1, Math.abs(real));
    }
    if (actual instanceof BigDecimal decimal && expected instanceof BigDecimal other) {
      return decimal.compareTo(other) == 0;
    }
    return Objects.equals(actual, expected);
  }

  private static SqlRuns.Result run(String sql, List<Row> rows) {
    return run(sql, rows, TestRows.SCHEMA);
  }

  private static SqlRuns.Result run(String sql, List<Row> rows, Schema schema) {
    SqlRuns.Result result = SqlRuns.ours(sql, schema, rows);
    assertThat(result.operators()).contains("AggregateRel").doesNotContain("BeamAggregationRel");
    return result;
  }

  @Test
  void groupsAreThoseOfEqualKeysAndNullIsOne() {
    Map<String, List<Row>> groups = new HashMap<>();
    for (Row row : ROWS) {
      groups
          .computeIfAbsent(row.getString("s") + "/" + row.getBoolean("b"), key -> new ArrayList<>())
          .add(row);
    }

    SqlRuns.Result result =
        run("SELECT s, b, " + FUNCTIONS + " FROM PCOLLECTION GROUP BY s, b", ROWS);

    assertThat(result.rows()).hasSize(groups.size());
    for (Row row : result.rows()) {
      List<Object> expected = expected(groups.get(row.getString(0) + "/" + row.getBoolean(1)));
      for (int i = 0; i < expected.size(); i++) {
        Object actual = row.getValue(i + 2);
        assertThat(isSame(actual, expected.get(i)))
            .as("column %d of %s: %s", i, row, expected.get(i))
            .isTrue();
      }
    }
  }

  @Test
  void allRowsAreOneGroupAndNoneAreToo() {
    for (List<Row> rows : List.of(ROWS, List.<Row>of())) {
      SqlRuns.Result result = run("SELECT " + FUNCTIONS + " FROM PCOLLECTION", rows);
      assertThat(result.rows()).hasSize(1);
      List<Object> expected = expected(rows);
      for (int i = 0; i < expected.size(); i++) {
        Object actual = result.rows().get(0).getValue(i);
        assertThat(isSame(actual, expected.get(i))).as("column %d: %s", i, actual).isTrue();
      }
    }
  }

  @Test
  void decimalsOfAnyScaleAreOneKey() {
    Schema schema = Schema.builder().addNullableField("d", FieldType.DECIMAL).build();
    List<Row> rows =
        List.of("1.5", "1.50", "100", "1E+2", "0", "0.00").stream()
            .map(text -> Row.withSchema(schema).addValues(new BigDecimal(text)).build())
            .toList();

    SqlRuns.Result result =
        SqlRuns.ours("SELECT d, COUNT(*) FROM PCOLLECTION GROUP BY d", schema, rows);

    assertThat(result.rows())
        .extracting(row -> row.getDecimal(0) + " " + row.getInt64(1))
        .containsExactlyInAnyOrder("1.5 2", "100 2", "0 2");
  }

  @Test
  void aSumOutOfRangeIsAnError() {
    Schema schema = Schema.builder().addInt32Field("n").build();
    Row large = Row.withSchema(schema).addValues(Integer.MAX_VALUE).build();
    assertThatThrownBy(
            () -> SqlRuns.ours("SELECT SUM(n) FROM PCOLLECTION", schema, List.of(large, large)))
        .hasStackTraceContaining("The SUM 4294967294 is out of the range of its type INT32");
  }

  @Test
  void whatHasNoCellKeepsBeamsAccumulator() {
    String sql = "SELECT s, ANY_VALUE(s), BIT_OR(k), SUM(j) FROM PCOLLECTION GROUP BY s";

    SqlRuns.Result result = run(sql, ROWS);

    assertThat(result.rows())
        .usingElementComparator(AggregateRelTest::compare)
        .containsExactlyInAnyOrderElementsOf(SqlRuns.beams(sql, TestRows.SCHEMA, ROWS).rows());
  }

  private static int compare(Row row, Row other) {
    for (int i = 0; i < row.getFieldCount(); i++) {
      if (!isSame(row.getValue(i), other.getValue(i))) {
        return 1;
      }
    }
    return 0;
  }

  @Test
  void groupsOfArraysAndMapsAreThoseOfEqualContents() {
    Schema inner = Schema.builder().addDecimalField("d").addByteArrayField("b").build();
    Schema schema =
        Schema.builder()
            .addArrayField("a", FieldType.DECIMAL)
            .addMapField("m", FieldType.STRING, FieldType.DOUBLE)
            .addArrayField("r", FieldType.row(inner))
            .addInt32Field("n")
            .build();
    List<Row> rows = new ArrayList<>();
    for (String decimal : List.of("1.5", "1.50", "2")) {
      Map<String, Double> map = new LinkedHashMap<>();
      map.put(decimal.equals("1.5") ? "x" : "y", 0.0);
      map.put(decimal.equals("1.5") ? "y" : "x", -0.0);
      rows.add(
          Row.withSchema(schema)
              .addValue(List.of(new BigDecimal(decimal), BigDecimal.ONE))
              .addValue(map)
              .addValue(
                  List.of(
                      Row.withSchema(inner)
                          .addValues(new BigDecimal(decimal), new byte[] {1})
                          .build()))
              .addValue(1)
              .build());
    }

    for (String key : List.of("a", "r", "a, m, r", "m, a")) {
      assertThat(
              run("SELECT SUM(n), " + key + " FROM PCOLLECTION GROUP BY " + key, rows, schema)
                  .rows())
          .as("groups by %s", key)
          .extracting(row -> row.getInt32(0))
          .containsExactlyInAnyOrder(2, 1);
    }
    assertThat(run("SELECT SUM(n), m FROM PCOLLECTION GROUP BY m", rows, schema).rows())
        .singleElement()
        .satisfies(row -> assertThat(row.getMap(1)).isEqualTo(Map.of("x", 0.0, "y", 0.0)));
  }

  @Test
  void aSumOfAGroupOfArraysThatIsOutOfRangeIsAnError() {
    Schema schema = Schema.builder().addArrayField("a", FieldType.INT32).addInt32Field("n").build();
    Row large = Row.withSchema(schema).addValue(List.of(1, 2)).addValue(Integer.MAX_VALUE).build();
    assertThatThrownBy(
            () ->
                SqlRuns.ours(
                    "SELECT a, SUM(n) FROM PCOLLECTION GROUP BY a", schema, List.of(large, large)))
        .hasStackTraceContaining("The SUM 4294967294 is out of the range of its type INT32");
  }

  @Test
  void groupsOfArraysOfBytesAreBeams() {
    Schema schema = Schema.builder().addArrayField("a", FieldType.BYTES).build();
    Row row = Row.withSchema(schema).addValue(List.of(new byte[] {1})).build();
    assertThat(
            SqlRuns.ours(
                    "SELECT a, COUNT(*) FROM PCOLLECTION GROUP BY a", schema, List.of(row, row))
                .operators())
        .contains("BeamAggregationRel")
        .doesNotContain("AggregateRel");
  }
}
