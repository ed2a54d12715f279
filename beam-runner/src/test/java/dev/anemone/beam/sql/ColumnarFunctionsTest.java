// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions of single values give in columns what they give in rows, to the last bit. */
@Tag("slow")
class ColumnarFunctionsTest {

  private static final List<String> FUNCTIONS =
      List.of(
          "CHAR_LENGTH(s)",
          "CHARACTER_LENGTH(s || u)",
          "POSITION(u IN s)",
          "POSITION('' IN s)",
          "POSITION('\u00e4' IN s)",
          "SUBSTRING(s, 2)",
          "SUBSTRING(s FROM 1 FOR 2)",
          "SUBSTRING(u || s FROM 3 FOR 1)",
          "TRIM(s)",
          "TRIM(LEADING ' ' FROM s)",
          "TRIM(TRAILING 'x' FROM s)",
          "TRIM(BOTH '\u00e4' FROM s)",
          "TRIM(BOTH '\ud83d\ude00x' FROM u || s)",
          "COALESCE(s, u, 'none')",
          "NULLIF(s, u)",
          "COALESCE(d, 1.5E0)",
          "NULLIF(n, 3)",
          "-d",
          "-n",
          "FLOOR(d)",
          "CEIL(d)",
          "ABS(d)",
          "MOD(n, CAST(7 AS BIGINT))",
          "MOD(n, CAST(-3 AS BIGINT))",
          "EXTRACT(YEAR FROM t)",
          "EXTRACT(QUARTER FROM t)",
          "EXTRACT(MONTH FROM t)",
          "EXTRACT(DAY FROM t)");

  private static final List<String> PIECES =
      List.of(
          " ",
          "  ",
          "x",
          "xx",
          "\u00e4",
          "\u00df",
          "\u0130",
          "\u2003",
          "\n",
          "a\u0301",
          "\ud83d\ude00",
          "\ud83d\ude01",
          "\ud835\udd38",
          "Q",
          "\t");

  private static final List<Double> DOUBLES =
      List.of(
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          -0.0,
          0.0,
          -0.5,
          0.5,
          1.5,
          -1.5,
          2.5,
          0.49999999999999994,
          Double.MIN_VALUE,
          -Double.MIN_VALUE,
          Double.MAX_VALUE,
          2251799813685248.5,
          -2251799813685248.5);

  private static final Schema SCHEMA =
      Schema.builder()
          .addFields(
              Field.of("id", FieldType.INT64),
              Field.nullable("s", FieldType.STRING),
              Field.nullable("u", FieldType.STRING),
              Field.nullable("d", FieldType.DOUBLE),
              Field.nullable("n", FieldType.INT64),
              Field.nullable("t", CalciteUtils.DATE))
          .build();

  @TempDir private Path directory;

  @Test
  void giveWhatTheyGiveInRows() throws Exception {
    Map<String, MemoryTable> rows =
        Map.of("f", new MemoryTable(SCHEMA, rows(new Random(20)), 1_000));
    List<String> queries =
        FUNCTIONS.stream()
            // The limit makes it worth a query in columns.
            .map(function -> "SELECT id, " + function + " AS v FROM f ORDER BY id LIMIT 100000")
            .toList();
    try (DuckDb duckDb = new DuckDb(rows)) {
      Map<String, BeamSqlTable> files = duckDb.parquetTables(rows, directory);
      for (String query : queries) {
        assertThat(RelOptUtil.toString(Plans.of(query, files)))
            .as(query)
            .contains("ColumnarRel")
            .doesNotContain("CalcRel");
      }
      Map<String, SqlRun.Result> inColumns = new SqlRun(files).run(queries);
      Map<String, SqlRun.Result> inRows =
          new SqlRun(Map.copyOf(rows), "--columnar=off").run(queries);
      for (String query : queries) {
        assertThat(inColumns.get(query).ordered())
            .as(query)
            .hasSize(rows.get("f").rows().size())
            .isEqualTo(inRows.get(query).ordered());
      }
    }
  }

  private static List<Row> rows(Random random) {
    List<Row> rows = new ArrayList<>();
    for (long id = 0; id < 600; id++) {
      rows.add(
          Row.withSchema(SCHEMA)
              .addValues(
                  id,
                  orNull(text(random, 5), random),
                  orNull(text(random, 2), random),
                  orNull(real(random), random),
                  orNull(
                      random.nextBoolean() ? random.nextLong() : (long) random.nextInt(9), random),
                  orNull(LocalDate.of(1, 1, 1).plusDays(random.nextInt(1_000_000)), random))
              .build());
    }
    return rows;
  }

  private static String text(Random random, int most) {
    StringBuilder text = new StringBuilder();
    for (int pieces = random.nextInt(most + 1); pieces > 0; pieces--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  private static double real(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> DOUBLES.get(random.nextInt(DOUBLES.size()));
      case 1 -> Double.longBitsToDouble(random.nextLong());
      default -> random.nextGaussian() * 1000;
    };
  }

  private static Object orNull(Object value, Random random) {
    return random.nextInt(8) == 0 ? null : value;
  }
}
