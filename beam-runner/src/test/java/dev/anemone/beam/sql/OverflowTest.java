// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a number overflows does not depend on what else a query asks for. */
class OverflowTest {

  private static final Schema SCHEMA =
      Schema.builder()
          .addByteField("y")
          .addInt16Field("h")
          .addInt32Field("i")
          .addInt64Field("l")
          .addFloatField("f")
          .addStringField("s")
          .addInt32Field("q")
          .build();
  private static final MemoryTable TABLE =
      new MemoryTable(SCHEMA, List.of(row(" x ", 0), row(" y", 8)), 2);

  private static Row row(String text, int q) {
    return Row.withSchema(SCHEMA)
        .addValues(
            Byte.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE, 1.5f, text, q)
        .build();
  }

  private static List<Row> run(String query) {
    return new SqlRun(Map.of("t", TABLE)).run(query).rows();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT i + 1, TRIM(s) FROM t",
        "SELECT ROUND(i * 2, 1) FROM t",
        "SELECT i + 1, f * 2 FROM t",
        "SELECT (-i - 1) / -1, f * 2 FROM t",
        "SELECT -(-i - 1), f * 2 FROM t",
        "SELECT ABS(-l - 1) FROM t",
        "SELECT h + h FROM t",
        "SELECT y * y FROM t",
        "SELECT h + h, f * 2 FROM t",
        "SELECT CAST(l AS INTEGER) FROM t",
        "SELECT s FROM t WHERE i + 1 > 0 AND TRIM(s) = 'x'",
        "SELECT a.s FROM t a JOIN t b ON a.q = b.q AND a.i + b.i > 5",
        "SELECT SUM(i), MAX(f) FROM t",
        "SELECT f, SUM(i) FROM t GROUP BY f"
      })
  void isAnErrorAnywhere(String query) {
    assertThatThrownBy(() -> run(query)).hasRootCauseInstanceOf(ArithmeticException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT ROUND(100.00 / q, 2) FROM t WHERE q > 0",
        "SELECT ROUND(100.00 / q, 2), f * 2 FROM t WHERE q > 0",
        "SELECT ROUND(100.00 / q, 2) FROM t WHERE q > 0 AND f * 2 > 1",
        "SELECT CASE WHEN q > 0 THEN ROUND(100.00 / q, 2) END FROM t WHERE TRIM(s) = 'y'"
      })
  void rowsThatAreFilteredOutAreNotComputed(String query) {
    assertThat(run(query))
        .singleElement()
        .satisfies(row -> assertThat(row.getDecimal(0)).isEqualByComparingTo("12.5"));
  }

  @Test
  void theDigitsOfAQuotientDoNotDependOnItsNeighbours() {
    String quotient = "100.00 / (q - 1)";
    BigDecimal alone = run("SELECT " + quotient + " FROM t WHERE q > 0").get(0).getDecimal(0);

    Row beside =
        run("SELECT f * 2, " + quotient + ", CAST(" + quotient + " AS FLOAT) FROM t WHERE q > 0")
            .get(0);

    assertThat(alone).isEqualByComparingTo("14.2857142857142857");
    assertThat(beside.getDecimal(1)).isEqualByComparingTo(alone);
    assertThat(beside.<Float>getValue(2)).isEqualTo(alone.floatValue());
    assertThat(run("SELECT f * 2, CASE WHEN q > 0 THEN 1.00 / q END FROM t"))
        .extracting(row -> row.getDecimal(1))
        .contains((BigDecimal) null);
  }

  @Test
  void numbersThatFitAreThere() {
    assertThat(
            run("SELECT h - h, y - 1, y / 2, MOD(h, y), i / 2 + 1, -l, ABS(-h), TRIM(s),"
                    + " CAST(q AS VARCHAR), UPPER(TRIM(s)) || '!' FROM t WHERE q > 0")
                .get(0)
                .getValues())
        .containsExactly(
            (short) 0,
            126,
            63,
            (byte) 1,
            1073741824,
            -Long.MAX_VALUE,
            Short.MAX_VALUE,
            "y",
            "8",
            "Y!");
    assertThat(run("SELECT COVAR_POP(q, q), SUM(q), MAX(f) FROM t").get(0).getValues())
        .containsExactly(16.0, 8, 1.5f);
    assertThat(run("SELECT VAR_SAMP(l), VAR_POP(l), STDDEV_POP(i) FROM t").get(0).getValues())
        .containsExactly(0.0, 0.0, 0.0);
    assertThat(run("SELECT ROUND(CAST('2.345' AS DECIMAL(10, 3)), 2), CEIL(12.1) FROM t").get(0))
        .satisfies(row -> assertThat(row.getDecimal(0)).isEqualByComparingTo("2.35"))
        .satisfies(row -> assertThat(row.<BigDecimal>getValue(1)).isEqualByComparingTo("13"));
  }
}
