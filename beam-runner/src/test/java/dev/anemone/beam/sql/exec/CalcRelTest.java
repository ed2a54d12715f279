// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;
import org.junit.jupiter.api.Test;

class CalcRelTest {
  private static final Schema ONE = Schema.builder().addInt32Field("n").build();
  private static final List<Row> ONE_ROW = List.of(Row.withSchema(ONE).addValues(1).build());

  @Property(tries = 10, shrinking = ShrinkingMode.OFF)
  void givesWhatBeamsCalcGives(@ForAll long seed) {
    Random random = new Random(seed);
    List<Row> rows = TestRows.random(random, 150);
    String sql = queryThatBeamCan(random);

    SqlRuns.Result ours = SqlRuns.ours(sql, TestRows.SCHEMA, rows);

    assertThat(ours.operators()).as(sql).contains("CalcRel").doesNotContain("BeamCalcRel");
    assertThat(differences(byId(ours), byId(SqlRuns.beams(sql, TestRows.SCHEMA, rows))))
        .as(sql)
        .isEmpty();
  }

  private static String queryThatBeamCan(Random random) {
    RuntimeException last = null;
    for (int draw = 0; draw < 20; draw++) {
      String sql = new SqlGrammar(random).query(20);
      try {
        SqlRuns.checkBeamsCan(sql, TestRows.SCHEMA);
        return sql;
      } catch (RuntimeException error) {
        last = error;
      }
    }
    throw new AssertionError("Beam's own operators refused 20 queries in a row", last);
  }

  private static Map<Long, List<String>> byId(SqlRuns.Result result) {
    Map<Long, List<String>> rows = new TreeMap<>();
    for (Row row : result.rows()) {
      rows.put(row.getInt64(0), row.getValues().stream().map(CalcRelTest::plain).toList());
    }
    return rows;
  }

  /** What differs, a line each: whole rows and single columns. */
  private static List<String> differences(
      Map<Long, List<String>> ours, Map<Long, List<String>> beams) {
    List<String> differences = new ArrayList<>();
    Set<Long> ids = new TreeSet<>(ours.keySet());
    ids.addAll(beams.keySet());
    for (long id : ids) {
      if (!ours.containsKey(id) || !beams.containsKey(id)) {
        differences.add(
            "row " + id + " is " + (ours.containsKey(id) ? "only ours" : "only Beam's"));
        continue;
      }
      for (int column = 1; column < ours.get(id).size(); column++) {
        String mine = ours.get(id).get(column);
        String other = beams.get(id).get(column);
        if (!mine.equals(other)) {
          differences.add(
              "c" + (column - 1) + " of row " + id + " is " + mine + ", Beam's is " + other);
        }
      }
    }
    return differences;
  }

  /** Beam's operator computes some decimals with another scale, of the same value. */
  private static String plain(Object value) {
    return value instanceof BigDecimal decimal
        ? decimal.stripTrailingZeros().toPlainString()
        : String.valueOf(value);
  }

  private static List<Object> compute(String expressions) {
    SqlRuns.Result result =
        SqlRuns.ours("SELECT " + expressions + " FROM PCOLLECTION", ONE, ONE_ROW);
    assertThat(result.operators()).contains("CalcRel").doesNotContain("BeamCalcRel");
    return result.rows().get(0).getValues();
  }

  @Test
  void exactQuotientsHaveNoFurtherZeros() {
    assertThat(compute("n * 7.50 / 2.5, n * 1.000 / 4"))
        .containsExactly(new BigDecimal("3.0"), new BigDecimal("0.250"));
  }

  @Test
  void decimalsKeepTheirFractionInCaseAndQuotient() {
    assertThat(
            compute(
                "CASE WHEN n > 0 THEN n * 1.25 ELSE NULL END,"
                    + " n * 1.0 / 3, CAST(n * 2.345 AS DECIMAL(10, 2))"))
        .usingElementComparator((a, b) -> ((BigDecimal) a).compareTo((BigDecimal) b))
        .containsExactly(
            new BigDecimal("1.25"), new BigDecimal("0.3333333333333333"), new BigDecimal("2.35"));
  }

  @Test
  void datesMoveByMonthsToTheirEnd() {
    assertThat(
            compute(
                "CASE WHEN n = 1 THEN DATE '1996-01-31' ELSE DATE '1997-01-31' END"
                    + " + INTERVAL '1' MONTH,"
                    + " DATE '1998-12-01' - INTERVAL '90' DAY"))
        .containsExactly(LocalDate.of(1996, 2, 29), LocalDate.of(1998, 9, 2));
  }

  @Test
  void aBranchThatIsNotTakenIsNotComputed() {
    assertThat(compute("CASE WHEN n = 0 THEN 1 / (n - 1) ELSE 7 END")).containsExactly(7);
  }

  @Test
  void wholeNumbersThatOverflowAreAnError() {
    assertThatThrownBy(() -> compute("n + 2147483647"))
        .hasRootCauseInstanceOf(ArithmeticException.class)
        .hasStackTraceContaining("integer overflow");
  }

  @Test
  void textsMayHaveAnyCharacter() {
    assertThat(compute("CASE WHEN n = 1 THEN 'a\"b\\u0041\nü' ELSE 'x' END"))
        .containsExactly("a\"b\\u0041\nü");
  }

  @Test
  void operatorsThatAreNotKnownHereAreCalcites() {
    assertThat(
            compute(
                "CAST(n AS VARCHAR), TRIM('  a ') || 'b', CEIL(n * 2.5), MOD(CAST(7 AS BIGINT), n + 1),"
                    + " POSITION('b' IN CASE WHEN n = 1 THEN 'abc' ELSE NULL END),"
                    + " CAST(CASE WHEN n = 2 THEN 'x' ELSE NULL END AS INTEGER)"))
        .usingElementComparator(
            (a, b) ->
                Objects.equals(String.valueOf(a).replaceFirst("\\.0*$", ""), String.valueOf(b))
                    ? 0
                    : 1)
        .containsExactly("1", "ab", 3, 1, 2, null);
  }

  @Test
  void whatNeitherKnowsIsBeams() {
    assertThat(
            SqlRuns.ours("SELECT CAST(n AS FLOAT) * 2 FROM PCOLLECTION", ONE, ONE_ROW).operators())
        .contains("BeamCalcRel")
        .doesNotContain("CalcRel");
  }
}
