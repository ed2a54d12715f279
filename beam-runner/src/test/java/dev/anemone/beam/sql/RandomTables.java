// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.values.Row;

/** Small tables whose values often meet, with nulls, empty texts and dates before 1970. */
final class RandomTables {

  private static final int NULL_IN = 6;
  private static final int VALUES = 8;
  private static final List<String> TEXTS = List.of("p", "q", "r", "s", "", "p\u00e4");

  private RandomTables() {}

  /**
   * Tables {@code a}, {@code b} and {@code c}, with columns named after them: {@code a_id} is a
   * key, {@code a_k}, {@code a_n}, {@code a_d}, {@code a_s} and {@code a_t} may be null.
   */
  static Map<String, MemoryTable> of(long seed) {
    Random random = new Random(seed);
    Map<String, MemoryTable> tables = new LinkedHashMap<>();
    tables.put("a", table("a", 30 + random.nextInt(20), 1_000_000, random));
    tables.put("b", table("b", 20 + random.nextInt(20), 1_000_000, random));
    // Of some seeds empty.
    tables.put("c", table("c", seed % 5 == 0 ? 0 : random.nextInt(8), 10, random));
    return tables;
  }

  private static MemoryTable table(String name, int rows, double rowCount, Random random) {
    Schema schema =
        Schema.builder()
            .addFields(
                Field.of(name + "_id", FieldType.INT64),
                Field.nullable(name + "_k", FieldType.INT64),
                Field.nullable(name + "_n", FieldType.INT32),
                Field.nullable(name + "_d", FieldType.DECIMAL),
                Field.nullable(name + "_s", FieldType.STRING),
                Field.nullable(name + "_t", CalciteUtils.DATE))
            .build();
    List<Row> all = new ArrayList<>();
    for (long id = 0; id < rows; id++) {
      all.add(
          Row.withSchema(schema)
              .addValues(
                  id,
                  orNull((long) random.nextInt(VALUES), random),
                  orNull(random.nextInt(VALUES), random),
                  orNull(BigDecimal.valueOf(random.nextInt(2000), random.nextInt(3)), random),
                  orNull(TEXTS.get(random.nextInt(TEXTS.size())), random),
                  orNull(
                      LocalDate.of(
                          random.nextInt(4) == 0 ? 1969 : 1995,
                          1 + random.nextInt(3),
                          1 + random.nextInt(5)),
                      random))
              .build());
    }
    return new MemoryTable(schema, all, rowCount);
  }

  private static Object orNull(Object value, Random random) {
    return random.nextInt(NULL_IN) == 0 ? null : value;
  }
}
