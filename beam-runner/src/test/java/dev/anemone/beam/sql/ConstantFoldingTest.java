// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.extensions.sql.BeamSqlUdf;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.linq4j.function.Parameter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.junit.jupiter.api.Test;

/** A constant expression yields what it would yield of values in rows. */
class ConstantFoldingTest {

  private static final Schema SCHEMA =
      Schema.builder().addInt32Field("n").addDoubleField("x").addDoubleField("y").build();
  private static final MemoryTable TABLE =
      new MemoryTable(SCHEMA, List.of(Row.withSchema(SCHEMA).addValues(1, 0.1, 0.2).build()), 1);

  private static List<Object> values(String expressions) {
    return new SqlRun(Map.of("t", TABLE))
        .run("SELECT " + expressions + " FROM t")
        .rows()
        .get(0)
        .getValues();
  }

  @Test
  void floatingPointNumbersKeepAllDigits() {
    assertThat(values("0.1E0 + 0.2E0, CAST(0.1 AS DOUBLE) + CAST(0.2 AS DOUBLE), 1E0 / 3E0, x + y"))
        .containsExactly(0.1 + 0.2, 0.1 + 0.2, 1.0 / 3.0, 0.1 + 0.2);
  }

  @Test
  void hyperbolicFunctionsKeepAllDigits() {
    assertThat(
            values("COSH(CAST(710.0 AS DOUBLE)), SINH(CAST(710.0 AS DOUBLE)), COSH(1.5), COSH(y)"))
        .containsExactly(Math.cosh(710.0), Math.sinh(710.0), Math.cosh(1.5), Math.cosh(0.2));
  }

  @Test
  void decimalsHaveTheScaleOfTheirOperation() {
    assertThat(
            values(
                "1.0 - 1, 1.50 * 2.0, 1 + 0.25, -(0.10 + 0.2), 1.0 * 1.0, 1 * 1.0, 1.00 * 2.5,"
                    + " 0.0 + 1, 1.50 - 0.0, CAST(1.5 AS DECIMAL(5, 2)) * 1.0, 1.0 * n"))
        .containsExactly(
            new BigDecimal("0.0"),
            new BigDecimal("3.000"),
            new BigDecimal("1.25"),
            new BigDecimal("-0.30"),
            new BigDecimal("1.00"),
            new BigDecimal("1.0"),
            new BigDecimal("2.500"),
            new BigDecimal("1.0"),
            new BigDecimal("1.50"),
            new BigDecimal("1.500"),
            new BigDecimal("1.0"));
  }

  @Test
  void constantsInPlacesOfOtherDecimalsHaveNoZerosBehindTheirDigits() {
    assertThat(
            values(
                "CASE WHEN 1 = 1 THEN 1.50 ELSE CAST(n AS DECIMAL) END,"
                    + " COALESCE(20.0, CAST(n AS DECIMAL)), CAST(0.1 AS DECIMAL)"))
        .containsExactly(new BigDecimal("1.5"), new BigDecimal("20"), new BigDecimal("0.1"));
    assertThat(
            new SqlRun(Map.of("t", TABLE))
                .run("SELECT 2.50 AS d FROM t UNION ALL SELECT CAST(n AS DECIMAL) FROM t")
                .rows())
        .extracting(row -> row.getDecimal(0))
        .containsExactlyInAnyOrder(new BigDecimal("2.5"), BigDecimal.ONE);
  }

  @Test
  void whatHasNoFractionIsComputedByThePlanner() {
    assertThat(
            RelOptUtil.toString(
                Plans.of(
                    "SELECT n_name FROM nation WHERE n_nationkey < 2 + 3 AND n_regionkey * 1.5"
                        + " > 0.06 - 0.01 AND n_comment <> UPPER('a' || 'b')",
                    TpchCatalog.TABLES)))
        .contains("[5:BIGINT]", "[0.05:DECIMAL(", "['AB':VARCHAR]")
        .doesNotContain("CAST");
    assertThat(values("DATE '1998-12-01' - INTERVAL '90' DAY, 2 + 3"))
        .containsExactly(LocalDate.of(1998, 9, 2), 5);
  }

  /** Constants of any sign and type are what columns with the same values are. */
  @Test
  void castsOfConstantsToWholeNumbersAreThoseOfColumns() {
    Schema schema = Schema.builder().addDoubleField("x").addDecimalField("d").build();
    for (String number : List.of("2.75", "-2.75", "2.5", "-0.5", "7.25", "3.0")) {
      MemoryTable table =
          new MemoryTable(
              schema,
              List.of(
                  Row.withSchema(schema)
                      .addValues(Double.valueOf(number), new BigDecimal(number))
                      .build()),
              1);
      List<Object> values =
          new SqlRun(Map.of("t", table))
              .run(
                  "SELECT CAST(x AS BIGINT), CAST(x AS INTEGER), CAST(d AS BIGINT),"
                      + " CAST(d AS INTEGER), CAST(%1$sE0 AS BIGINT), CAST(%1$sE0 AS INTEGER),"
                          .formatted(number)
                      + " CAST(%1$s AS BIGINT), CAST(%1$s AS INTEGER) FROM t".formatted(number))
              .rows()
              .get(0)
              .getValues();
      int whole = new BigDecimal(number).intValue();
      assertThat(values)
          .as(number)
          .containsExactly(
              (long) whole, whole, (long) whole, whole, (long) whole, whole, (long) whole, whole);
    }
  }

  @Test
  void anOverflowIsAnErrorOfTheTaskThatReachesIt() {
    assertThat(values("CASE WHEN n = 1 THEN 0 ELSE 2147483647 + 1 END")).containsExactly(0);
    assertThatThrownBy(() -> values("2147483647 + 1"))
        .hasRootCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void anArgumentThatIsLeftOutIsNull() {
    assertThat(
            new SqlRun(Map.of("t", TABLE))
                .run(
                    "SELECT repeated('ab', 3), repeated('ab') FROM t",
                    query -> query.registerUdf("repeated", Repeated.class))
                .rows()
                .get(0)
                .getValues())
        .containsExactly("ababab", "abab");
  }

  /** A text so many times, or twice. */
  public static final class Repeated implements BeamSqlUdf {
    public static String eval(
        @Parameter(name = "text") String text,
        @Parameter(name = "times", optional = true) Integer times) {
      return text.repeat(times == null ? 2 : times);
    }
  }
}
