// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.beam.sql.exec.TestRows;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Variances, standard deviations and covariances. */
class SpreadTest {
  private static final Schema SCHEMA =
      Schema.builder().addInt32Field("n").addDoubleField("x").addDecimalField("d").build();

  private static List<Row> run(String query, Schema schema, List<Row> rows) {
    return new SqlRun(Map.of("t", new MemoryTable(schema, rows, rows.size()))).run(query).rows();
  }

  @Test
  void areThoseOfTheirDefinition() {
    List<Row> rows = TestRows.random(new Random(20), 500);
    Map<String, List<Row>> groups = new HashMap<>();
    for (Row row : rows) {
      groups.computeIfAbsent(row.getString("u"), key -> new ArrayList<>()).add(row);
    }

    List<Row> results =
        run(
            "SELECT u, VAR_POP(x), VAR_SAMP(x), STDDEV_POP(x), STDDEV_SAMP(x), COVAR_POP(x, d),"
                + " COVAR_SAMP(x, d), VAR_POP(d), STDDEV_SAMP(d), VAR_SAMP(k), STDDEV_POP(k),"
                + " STDDEV(k), VARIANCE(k), COVAR_SAMP(j, k), COVAR_POP(d, k), CORR(x, k), corr (d,"
                + " j), COUNT(x) FROM t"
                + " GROUP BY u",
            TestRows.SCHEMA,
            rows);

    assertThat(results).hasSize(groups.size());
    for (Row row : results) {
      List<Row> group = groups.get(row.getString(0));
      List<Double> expected =
          Arrays.asList(
              covariance(group, "x", "x", 0),
              covariance(group, "x", "x", 1),
              Math.sqrt(covariance(group, "x", "x", 0)),
              Math.sqrt(covariance(group, "x", "x", 1)),
              covariance(group, "x", "d", 0),
              covariance(group, "x", "d", 1),
              covariance(group, "d", "d", 0),
              Math.sqrt(covariance(group, "d", "d", 1)),
              covariance(group, "k", "k", 1),
              Math.sqrt(covariance(group, "k", "k", 0)),
              Math.sqrt(covariance(group, "k", "k", 1)),
              covariance(group, "k", "k", 1),
              covariance(group, "j", "k", 1),
              covariance(group, "d", "k", 0),
              correlation(group, "x", "k"),
              correlation(group, "d", "j"));
      for (int i = 0; i < expected.size(); i++) {
        assertThat(((Number) row.getValue(i + 1)).doubleValue())
            .as("column %d of %s", i + 1, row)
            .isCloseTo(expected.get(i), Offset.offset(1e-9 * Math.abs(expected.get(i))));
      }
    }
  }

  private static double correlation(List<Row> rows, String first, String second) {
    List<Row> both =
        rows.stream()
            .filter(row -> row.getValue(first) != null && row.getValue(second) != null)
            .toList();
    return covariance(both, first, second, 0)
        / Math.sqrt(covariance(both, first, first, 0) * covariance(both, second, second, 0));
  }

  /** By two passes over the rows that have both. */
  private static double covariance(List<Row> rows, String first, String second, int lost) {
    List<double[]> pairs = new ArrayList<>();
    for (Row row : rows) {
      if (row.getValue(first) instanceof Number x && row.getValue(second) instanceof Number y) {
        pairs.add(new double[] {x.doubleValue(), y.doubleValue()});
      }
    }
    double x = pairs.stream().mapToDouble(pair -> pair[0]).average().orElse(0);
    double y = pairs.stream().mapToDouble(pair -> pair[1]).average().orElse(0);
    double sum = pairs.stream().mapToDouble(pair -> (pair[0] - x) * (pair[1] - y)).sum();
    return sum / (pairs.size() - lost);
  }

  @Test
  void aSampleOfOneRowHasNone() {
    Row one = Row.withSchema(SCHEMA).addValues(3, 0.5, new BigDecimal("1.5")).build();

    Row row =
        run(
                "SELECT n, VAR_SAMP(x), STDDEV_SAMP(x), COVAR_SAMP(n, x), VAR_SAMP(d) + 1,"
                    + " VARIANCE(x) * 2, COALESCE(VARIANCE(n) * 2, 7), SQRT(VAR_SAMP(x)),"
                    + " VAR_POP(n), STDDEV_POP(d), COVAR_POP(x, d) FROM t GROUP BY n",
                SCHEMA,
                List.of(one))
            .get(0);

    assertThat(row.getValues().subList(0, 9))
        .containsExactly(3, null, null, null, null, null, 7.0, null, 0.0);
    assertThat(row.getDecimal(9)).isZero();
    assertThat(row.getDouble(10)).isZero();
  }

  @Test
  void whatIsNullInAGroupHasNone() {
    assertThat(
            run(
                    "SELECT VAR_POP(x), STDDEV_POP(d), COVAR_POP(n, x), STDDEV_SAMP(n) FROM t"
                        + " WHERE n > 5",
                    SCHEMA,
                    List.of())
                .get(0)
                .getValues())
        .containsOnlyNulls();
  }

  @Test
  void aCorrelationIsOneWhereColumnsVaryAlike() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(Row.withSchema(SCHEMA).addValues(i, 1e15 - 0.1 * i, BigDecimal.valueOf(7)).build());
    }
    rows.add(Row.withSchema(SCHEMA).addValues(5000, 1.0, new BigDecimal("7.0")).build());
    String query = "SELECT CORR(n, n), CORR(n, x), CORR(n, d), 'CORR(' || '`' FROM t WHERE n < %d";

    assertThat(run(query.formatted(100), SCHEMA, rows).get(0).getValues())
        .satisfiesExactly(
            one -> assertThat(one).isEqualTo(1.0),
            less -> assertThat((Double) less).isCloseTo(-1.0, Offset.offset(1e-3)),
            none -> assertThat(none).isNull(),
            text -> assertThat(text).isEqualTo("CORR(`"));
    assertThat(run(query.formatted(0), SCHEMA, rows).get(0).getValues().subList(0, 3))
        .containsOnlyNulls();
  }

  @Test
  void floatsHaveOneOfFloatsAndInfinityHasNone() {
    Schema schema = Schema.builder().addFloatField("f").addDoubleField("x").build();
    List<Row> rows =
        List.of(
            Row.withSchema(schema).addValues(1f, 1.0).build(),
            Row.withSchema(schema).addValues(4f, Double.POSITIVE_INFINITY).build());

    assertThat(
            run("SELECT STDDEV_POP(f), COVAR_POP(f, f), VAR_POP(x) FROM t", schema, rows)
                .get(0)
                .getValues())
        .containsExactly(1.5f, 2.25f, Double.NaN);
  }

  /** Beside what only columns can do, too. */
  @Test
  void infinityHasNoneInColumns() {
    List<Row> rows =
        List.of(
            Row.withSchema(SCHEMA).addValues(1, Double.NEGATIVE_INFINITY, BigDecimal.ONE).build(),
            Row.withSchema(SCHEMA).addValues(2, 2.0, BigDecimal.ONE).build(),
            Row.withSchema(SCHEMA).addValues(4, 8.0, BigDecimal.TEN).build());

    assertThat(
            run(
                    "SELECT VAR_POP(x) FILTER (WHERE n < 9), CORR(n, x) FILTER (WHERE n < 9),"
                        + " CORR(d, x) FILTER (WHERE n > 1), VAR_POP(x) FILTER (WHERE n > 1) FROM t",
                    SCHEMA,
                    rows)
                .get(0)
                .getValues())
        .containsExactly(Double.NaN, Double.NaN, 1.0, 9.0);
  }

  @Test
  void doNotDependOnHowMuchNumbersDiffer() {
    List<Row> rows = new ArrayList<>();
    for (int value : new int[] {4, 7, 13, 16}) {
      rows.add(
          Row.withSchema(SCHEMA)
              .addValues(
                  Integer.MAX_VALUE - 20 + value,
                  1e15 + value,
                  new BigDecimal("1e30").add(BigDecimal.valueOf(value)))
              .build());
    }

    Row row =
        run("SELECT VAR_SAMP(n), VAR_SAMP(x), VAR_SAMP(d), COVAR_SAMP(n, x) FROM t", SCHEMA, rows)
            .get(0);
    Row besideDistinct = run("SELECT VAR_SAMP(d), COUNT(DISTINCT n) FROM t", SCHEMA, rows).get(0);

    assertThat(row.getDouble(0)).isEqualTo(30.0);
    assertThat(row.getDouble(1)).isEqualTo(30.0);
    assertThat(row.getDecimal(2)).isEqualByComparingTo("30");
    assertThat(row.getDouble(3)).isEqualTo(30.0);
    assertThat(besideDistinct.getDecimal(0)).isEqualByComparingTo("30");
  }
}
