// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;
import org.joda.time.Instant;

/** Random rows of a table with a column of each type, most of them with and without NULLs. */
public final class TestRows {
  public static final Schema SCHEMA =
      Schema.builder()
          .addInt64Field("id")
          .addNullableField("i", FieldType.INT32)
          .addInt32Field("j")
          .addNullableField("k", FieldType.INT64)
          .addNullableField("d", FieldType.DECIMAL)
          .addDecimalField("e")
          .addNullableField("x", FieldType.DOUBLE)
          .addNullableField("s", FieldType.STRING)
          .addStringField("u")
          .addNullableField("b", FieldType.BOOLEAN)
          .addField(Field.nullable("dt", FieldType.logicalType(SqlTypes.DATE)))
          .addField("du", FieldType.logicalType(SqlTypes.DATE))
          .addNullableField("ts", FieldType.DATETIME)
          .build();

  private static final List<String> WORDS =
      List.of("", "a", "ab", "abc", "PROMO steel", "special requests", "b%c", "x_y", "äöü", "Z");

  private TestRows() {}

  public static List<Row> random(Random random, int count) {
    List<Row> rows = new ArrayList<>();
    for (long id = 0; id < count; id++) {
      rows.add(
          Row.withSchema(SCHEMA)
              .addValues(
                  id,
                  orNull(random, random.nextInt(20) - 10),
                  random.nextInt(1000) - 500,
                  orNull(random, (long) random.nextInt(50)),
                  orNull(random, decimal(random)),
                  decimal(random),
                  orNull(random, random.nextInt(100) / 8.0),
                  orNull(random, WORDS.get(random.nextInt(WORDS.size()))),
                  WORDS.get(random.nextInt(WORDS.size())),
                  orNull(random, random.nextBoolean()),
                  orNull(random, date(random)),
                  date(random),
                  orNull(
                      random,
                      Instant.ofEpochMilli(
                          date(random).toEpochDay() * 86_400_000 + random.nextInt(86_400_000))))
              .build());
    }
    return rows;
  }

  private static <T> T orNull(Random random, T value) {
    return random.nextInt(4) == 0 ? null : value;
  }

  private static BigDecimal decimal(Random random) {
    return BigDecimal.valueOf(random.nextInt(20_000) - 10_000, random.nextInt(4));
  }

  /** Around leap days and ends of months, before and after 1970. */
  private static LocalDate date(Random random) {
    return LocalDate.of(1968 + random.nextInt(32), 1 + random.nextInt(12), 1)
        .plusDays(26 + random.nextInt(5));
  }
}
