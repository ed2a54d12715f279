// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.extensions.sql.impl.CalciteQueryPlanner;
import org.apache.beam.sdk.extensions.sql.impl.SqlConversionException;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.assertj.core.api.SoftAssertions;
import org.joda.time.DateTime;
import org.joda.time.Instant;
import org.joda.time.ReadableInstant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows of time and UNNEST on tables that end. */
class WindowsAndArraysTest {

  private static final Schema EVENT =
      Schema.builder()
          .addInt64Field("id")
          .addInt64Field("k")
          .addInt64Field("v")
          .addDateTimeField("ts")
          .addStringField("text")
          .build();

  private static final Schema NAME =
      Schema.builder().addInt64Field("nk").addStringField("name").build();

  private static final Schema PART =
      Schema.builder().addInt64Field("n").addStringField("s").build();

  private static final Schema LIST =
      Schema.builder()
          .addInt64Field("lid")
          .addArrayField("tags", FieldType.STRING)
          .addArrayField("parts", FieldType.row(PART))
          .addStringField("note")
          .build();

  private static final Schema SPARSE =
      Schema.builder()
          .addInt64Field("sid")
          .addLogicalTypeField("d", SqlTypes.DATE)
          .addField(Field.nullable("marks", FieldType.array(FieldType.INT64)))
          .build();

  /** Rows 1, 2 and 3 are in the first hour, 4 in the second, 5 and 6 in the fourth. */
  private static final Map<String, MemoryTable> TABLES =
      Map.of(
          "e",
          table(
              EVENT,
              event(1, 1, 10, "00:05"),
              event(2, 2, 20, "00:20"),
              event(3, 1, 30, "00:50"),
              event(4, 1, 40, "01:10"),
              event(5, 2, 50, "03:00"),
              event(6, 2, 60, "03:59")),
          "names",
          table(NAME, row(NAME, 1L, "one"), row(NAME, 2L, "two"), row(NAME, 3L, "three")),
          "lists",
          table(
              LIST,
              row(LIST, 1L, List.of("a", "b"), List.of(part(1, "x"), part(2, "y")), "first"),
              row(LIST, 2L, List.of("b"), List.of(part(3, "x")), "second"),
              row(LIST, 3L, List.of(), List.of(), "third")),
          "sparse",
          table(
              SPARSE,
              row(SPARSE, 1L, LocalDate.of(2020, 1, 2), List.of(7L, 8L)),
              row(SPARSE, 2L, LocalDate.of(2020, 1, 3), null),
              row(SPARSE, 3L, LocalDate.of(2020, 1, 4), List.of())));

  /** What Beam's planner can run, too. */
  private static final List<String> OF_BOTH =
      List.of(
          "SELECT lid, tag FROM lists CROSS JOIN UNNEST(lists.tags) AS t (tag)",
          "SELECT lid, n, s FROM lists CROSS JOIN UNNEST(lists.parts) AS p (n, s)",
          "SELECT * FROM lists CROSS JOIN UNNEST(lists.tags) AS t (tag)",
          "SELECT tag, COUNT(*) AS c FROM lists CROSS JOIN UNNEST(lists.tags) AS t (tag)"
              + " GROUP BY tag",
          "SELECT u.lid, u.tag, names.name FROM (SELECT lid, tag FROM lists CROSS JOIN"
              + " UNNEST(lists.tags) AS t (tag)) AS u JOIN names ON u.lid = names.nk",
          "SELECT * FROM UNNEST(ARRAY['p', 'q']) AS t (letter)",
          "SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS h, TUMBLE_END(ts, INTERVAL '1' HOUR) AS u,"
              + " k, COUNT(*) AS c, SUM(v) AS s, MIN(v) AS l, MAX(text) AS g FROM e"
              + " GROUP BY k, TUMBLE(ts, INTERVAL '1' HOUR)",
          "SELECT COUNT(*) AS c FROM e GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)",
          "SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS h FROM e"
              + " GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)",
          "SELECT name, TUMBLE_START(ts, INTERVAL '1' HOUR) AS h, SUM(v) AS s FROM e JOIN names"
              + " ON k = nk WHERE id > 1 GROUP BY name, TUMBLE(ts, INTERVAL '1' HOUR)",
          "SELECT TUMBLE_START(ts, INTERVAL '2' HOUR) AS h, MAX(c) AS m FROM (SELECT ts, k, COUNT(*)"
              + " AS c FROM e GROUP BY ts, k) AS t GROUP BY TUMBLE(ts, INTERVAL '2' HOUR)",
          "SELECT k, HOP_START(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS h, HOP_END(ts,"
              + " INTERVAL '30' MINUTE, INTERVAL '1' HOUR) AS u, SUM(v) AS s FROM e"
              + " GROUP BY k, HOP(ts, INTERVAL '30' MINUTE, INTERVAL '1' HOUR)",
          "SELECT k, SESSION_START(ts, INTERVAL '40' MINUTE) AS h, SESSION_END(ts, INTERVAL '40'"
              + " MINUTE) AS u, SUM(v) AS s FROM e"
              + " GROUP BY k, SESSION(ts, INTERVAL '40' MINUTE)",
          "SELECT k, MAX(s) AS m FROM (SELECT k, SUM(v) AS s FROM e GROUP BY k, TUMBLE(ts,"
              + " INTERVAL '1' HOUR)) AS t GROUP BY k",
          "SELECT a.h, a.s, b.c FROM (SELECT TUMBLE_START(ts, INTERVAL '1' HOUR) AS h, SUM(v) AS s"
              + " FROM e GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)) AS a JOIN (SELECT TUMBLE_START(ts,"
              + " INTERVAL '1' HOUR) AS h, COUNT(*) AS c FROM e WHERE k = 1 GROUP BY TUMBLE(ts,"
              + " INTERVAL '1' HOUR)) AS b ON a.h = b.h");

  private static MemoryTable table(Schema schema, Row... rows) {
    return new MemoryTable(schema, List.of(rows), rows.length);
  }

  private static Row row(Schema schema, Object... values) {
    return Row.withSchema(schema).addValues(Arrays.asList(values)).build();
  }

  private static Row part(long n, String s) {
    return row(PART, n, s);
  }

  private static Row event(long id, long k, long v, String time) {
    return row(EVENT, id, k, v, at(time), "text " + id);
  }

  private static Instant at(String time) {
    return DateTime.parse("2020-01-01T" + time + ":00Z").toInstant();
  }

  @Test
  void theRowsAreThoseOfBeamsPlanner() {
    Map<String, BeamSqlTable> collections = new HashMap<>();
    // Where it may read columns alone it forgets the windows of HOP.
    TABLES.forEach((name, table) -> collections.put(name, table.asCollection()));
    Map<String, SqlRun.Result> expected =
        new SqlRun(collections, CalciteQueryPlanner.class).run(OF_BOTH);
    SoftAssertions softly = new SoftAssertions();
    for (String broadcast : List.of("0", "8000000")) {
      Map<String, SqlRun.Result> actual =
          new SqlRun(Map.copyOf(TABLES), "--broadcastJoinBytes=" + broadcast).run(OF_BOTH);
      for (String query : OF_BOTH) {
        softly
            .assertThat(values(actual.get(query)))
            .as(query)
            .isNotEmpty()
            .isEqualTo(values(expected.get(query)));
      }
    }
    softly.assertAll();
  }

  private static List<List<Object>> values(SqlRun.Result result) {
    return result.rows().stream()
        .map(WindowsAndArraysTest::values)
        .sorted(Comparator.comparing(Object::toString))
        .toList();
  }

  /** Times as instants, whatever their class. */
  private static List<Object> values(Row row) {
    return row.getValues().stream()
        .map(value -> value instanceof ReadableInstant at ? at.toInstant() : value)
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          SELECT window_start, window_end, SUM(v) FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), \
          INTERVAL '1' HOUR)) GROUP BY window_start, window_end \
          | [00:00, 01:00, 60], [01:00, 02:00, 40], [03:00, 04:00, 110]
          SELECT id, window_start FROM TABLE(HOP(TABLE e, DESCRIPTOR(ts), INTERVAL '30' MINUTE, \
          INTERVAL '1' HOUR)) WHERE id IN (1, 4) \
          | [1, 00:00], [1, 23:30], [4, 00:30], [4, 01:00]
          SELECT k, window_start, window_end, COUNT(*) FROM TABLE(SESSION(TABLE e, DESCRIPTOR(ts), \
          DESCRIPTOR(k), INTERVAL '50' MINUTE)) GROUP BY k, window_start, window_end \
          | [1, 00:05, 02:00, 3], [2, 00:20, 01:10, 1], [2, 03:00, 03:50, 1], [2, 03:59, 04:49, 1]
          SELECT id, k, window_end FROM TABLE(SESSION(TABLE e, DESCRIPTOR(ts), DESCRIPTOR(k), \
          INTERVAL '50' MINUTE)) WHERE id <> 3 AND k = 1 | [1, 1, 02:00], [4, 1, 02:00]
          SELECT t.id, name FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '1' HOUR)) AS t \
          JOIN names ON k = nk WHERE t.window_start = TIMESTAMP '2020-01-01 01:00:00' | [4, one]
          SELECT HOP_START(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR), HOP_END(ts, INTERVAL '1' HOUR, \
          INTERVAL '2' HOUR), SUM(v) FROM e GROUP BY HOP(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR) \
          | [00:00, 02:00, 100], [01:00, 03:00, 40], [02:00, 04:00, 110], [03:00, 05:00, 110], \
          [23:00, 01:00, 60]
          SELECT lid, n, s FROM lists CROSS JOIN UNNEST(lists.parts) AS p (n, s) WHERE n > 1 \
          | [1, 2, y], [2, 3, x]
          SELECT TUMBLE_START(ts, INTERVAL '1' HOUR), COUNT(DISTINCT k), COUNT(*) FROM e \
          GROUP BY TUMBLE(ts, INTERVAL '1' HOUR) \
          | [00:00, 2, 3], [01:00, 1, 1], [03:00, 1, 2]
          SELECT TUMBLE_START(ts, INTERVAL '1' HOUR, TIME '00:30:00'), COUNT(*) FROM e \
          GROUP BY TUMBLE(ts, INTERVAL '1' HOUR, TIME '00:30:00') \
          | [00:30, 2], [02:30, 1], [03:30, 1], [23:30, 2]
          SELECT TUMBLE_START(ts, INTERVAL '1' HOUR), AVG(v) FROM e WHERE v > (SELECT AVG(v) FROM e) \
          AND k IN (SELECT nk FROM names WHERE name LIKE 't%') GROUP BY TUMBLE(ts, INTERVAL '1' HOUR) \
          | [03:00, 55.0]
          SELECT name FROM names WHERE nk IN (SELECT k FROM e WHERE v > 20 GROUP BY k, TUMBLE(ts, \
          INTERVAL '1' HOUR) HAVING COUNT(*) > 1) | [two]
          SELECT id FROM e WHERE v > (SELECT MAX(s) FROM (SELECT SUM(v) AS s FROM e WHERE k = 1 GROUP BY \
          TUMBLE(ts, INTERVAL '1' HOUR)) AS t) | [5], [6]
          SELECT lid, tag, n FROM lists, UNNEST(lists.tags) AS t (tag), UNNEST(lists.parts) AS \
          p (n, s) WHERE s = 'x' | [1, a, 1], [1, b, 1], [2, b, 3]
          SELECT lid, tag, i FROM lists CROSS JOIN UNNEST(lists.tags) WITH ORDINALITY AS t (tag, i) \
          | [1, a, 1], [1, b, 2], [2, b, 1]
          SELECT lid, tag FROM lists LEFT JOIN UNNEST(lists.tags) AS t (tag) ON TRUE \
          | [1, a], [1, b], [2, b], [3, null]
          SELECT d, mark + 1 FROM sparse CROSS JOIN UNNEST(sparse.marks) AS t (mark) \
          | [2020-01-02, 8], [2020-01-02, 9]
          SELECT sid, mark FROM sparse LEFT JOIN UNNEST(sparse.marks) AS t (mark) ON TRUE \
          | [1, 7], [1, 8], [2, null], [3, null]
          SELECT name FROM names WHERE nk IN (SELECT p.n FROM lists CROSS JOIN \
          UNNEST(lists.parts) AS p WHERE lists.note <> 'second') | [one], [two]
          SELECT note, (SELECT MAX(v) FROM e WHERE k = lid) AS m, tag FROM lists CROSS JOIN \
          UNNEST(lists.tags) AS t (tag) WHERE lid < 10 | [first, 40, a], [first, 40, b], [second, 60, b]
          SELECT COUNT(*) FROM lists CROSS JOIN UNNEST(lists.tags) AS t (tag) | [3]
          SELECT k, SUM(v) AS s FROM e GROUP BY k, TUMBLE(ts, INTERVAL '1' HOUR) HAVING k = 2 AND \
          TUMBLE_START(ts, INTERVAL '1' HOUR) > TIMESTAMP '2020-01-01 01:00:00' | [2, 110]
          """)
  void alsoWhatBeamsPlannerCannotRun(String query, String expected) {
    List<String> rows =
        new SqlRun(Map.copyOf(TABLES))
            .run(query).rows().stream()
                .map(row -> String.valueOf(row.getValues().stream().map(this::shown).toList()))
                .sorted()
                .toList();

    assertThat(String.join(", ", rows)).isEqualTo(expected);
  }

  private Object shown(Object value) {
    return value instanceof ReadableInstant at
        ? at.toInstant().toString().substring(11, 16)
        : value;
  }

  @Test
  void aWindowIsOnlyInTheAggregationOfAJoinOfOurs() {
    assertThat(
            plan(
                "SELECT name, TUMBLE_START(ts, INTERVAL '1' HOUR), COUNT(*) FROM e JOIN names ON k ="
                    + " nk WHERE name > 'p' AND v < 9 GROUP BY name, TUMBLE(ts, INTERVAL '1' HOUR)"))
        .containsSubsequence(
            "ResultRel",
            "WindowBoundsRel",
            "AggregateRel(group=[{0}]",
            "TimeWindowRel(time=[$1], windows=[TUMBLE(PT3600S, PT0S)])",
            "BroadcastJoinRel",
            "e]], usedFields=[[k, v, ts]]",
            "names]]")
        .doesNotContain("BeamAggregation", "BeamCalc", "BeamCoGBK");
  }

  @Test
  void aConditionOnAGroupIsTestedBelowItsWindow() {
    assertThat(
            plan(
                "SELECT k, COUNT(*) FROM e GROUP BY k, HOP(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR)"
                    + " HAVING k = 2"))
        .containsSubsequence("AggregateRel", "TimeWindowRel", "$condition")
        .doesNotContainPattern("condition[^~]*TimeWindowRel");
  }

  @Test
  void anArrayIsUnnestedAboveAJoinOfOursWithItsConditions() {
    assertThat(
            plan(
                "SELECT tag, COUNT(*) FROM lists JOIN names ON lid = nk, UNNEST(lists.tags) AS t (tag)"
                    + " WHERE name = 'one' AND tag <> 'b' GROUP BY tag"))
        .containsSubsequence(
            "AggregateRel",
            "UnnestRel(array=[$0])",
            "BroadcastJoinRel",
            "lists]], usedFields=[[lid, tags]]",
            "'one'")
        .doesNotContain("BeamCalc", "Correlate");
  }

  @Test
  void aTableFunctionReadsTheColumnsThatAreAskedFor() {
    assertThat(
            plan(
                "SELECT window_start, MAX(v) FROM TABLE(TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '1'"
                    + " HOUR)) WHERE k = 1 GROUP BY window_start"))
        .containsSubsequence(
            "AggregateRel", "WindowBoundsRel", "TimeWindowRel", "usedFields=[[k, v, ts]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          SELECT COUNT(DISTINCT v) FROM e GROUP BY SESSION(ts, INTERVAL '1' HOUR) | DISTINCT
          SELECT COUNT(*) FROM e GROUP BY TUMBLE(ts, INTERVAL '1' MONTH) | no months
          SELECT COUNT(*) FROM e GROUP BY TUMBLE(ts, INTERVAL '1' DAY), TUMBLE(ts, \
          INTERVAL '2' DAY) | several windows
          SELECT COUNT(*) FROM sparse GROUP BY TUMBLE(d, INTERVAL '1' DAY) | CAST it to TIMESTAMP
          SELECT * FROM lists LEFT JOIN UNNEST(lists.tags) AS t (tag) ON tag > 'a' | This UNNEST
          SELECT * FROM UNNEST(ARRAY[1], ARRAY[2]) AS t (a, b) | It takes one array
          """)
  void whatIsNotSupportedIsNamed(String query, String message) {
    assertThatThrownBy(() -> plan(query))
        .isInstanceOf(SqlConversionException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aRowWithoutATimeIsAnError() {
    Schema schema = Schema.builder().addNullableField("ts", FieldType.DATETIME).build();

    assertThatThrownBy(
            () ->
                new SqlRun(Map.of("t", table(schema, row(schema, (Object) null))))
                    .run("SELECT COUNT(*) FROM t GROUP BY TUMBLE(ts, INTERVAL '1' HOUR)"))
        .hasStackTraceContaining("A row has NULL for its time");
  }

  @Test
  void fieldsOfRowsInRowsOfAnArrayAreColumns() {
    Schema outer =
        Schema.builder().addInt64Field("a").addRowField("b", PART).addInt64Field("c").build();
    Schema schema =
        Schema.builder().addInt64Field("id").addArrayField("deep", FieldType.row(outer)).build();
    MemoryTable deep =
        table(
            schema,
            row(
                schema,
                1L,
                List.of(row(outer, 1L, part(2, "x"), 3L), row(outer, 4L, part(5, "y"), 6L))));

    assertThat(
            new SqlRun(Map.of("t", deep))
                .run("SELECT t.id, d.c, d.b.s, d.b.n, d.a FROM t CROSS JOIN UNNEST(t.deep) AS d")
                .rows())
        .extracting(row -> row.getValues().toString())
        .containsExactlyInAnyOrder("[1, 3, x, 2, 1]", "[1, 6, y, 5, 4]");
  }

  private static String plan(String query) {
    return RelOptUtil.toString(Plans.of(query, Map.copyOf(TABLES)));
  }
}
