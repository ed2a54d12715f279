// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
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
import org.joda.time.Instant;

/**
 * Small tables whose columns have values at the limits of their types among ordinary ones that
 * often meet.
 */
final class LimitTables {

  private static final int NULL_IN = 6;

  /** A value is at a limit one time in so many. */
  private static final int LIMIT_IN = 8;

  private static final List<Integer> INTS =
      List.of(Integer.MIN_VALUE, Integer.MIN_VALUE + 1, Integer.MAX_VALUE, Integer.MAX_VALUE - 1);

  private static final List<Long> LONGS =
      List.of(
          Long.MIN_VALUE,
          Long.MIN_VALUE + 1,
          Long.MAX_VALUE,
          Integer.MAX_VALUE + 1L,
          Integer.MIN_VALUE - 1L,
          (1L << 53) + 1);

  private static final List<String> DECIMALS =
      List.of(
          "99999999999999.9999",
          "-99999999999999.9999",
          "0.0001",
          "-0.0001",
          "0.5000",
          "-0.5000",
          "2.5000");

  private static final List<String> WIDE_DECIMALS =
      List.of(
          "9999999999999999999999999999.9999999999",
          "-9999999999999999999999999999.9999999999",
          "9999999999999999999999999998.0000000000",
          "0.0000000001",
          "-0.0000000001",
          "9223372036854775808",
          "2147483648.5");

  private static final List<Double> DOUBLES =
      List.of(
          Double.MAX_VALUE,
          -Double.MAX_VALUE,
          Double.MIN_VALUE,
          -Double.MIN_VALUE,
          Double.MIN_NORMAL,
          2.147483648e9,
          9.223372036854776e18,
          0.1);

  private static final List<Double> ODD_DOUBLES =
      List.of(Double.NaN, -0.0, 0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);

  /** Texts that differ in blanks, in case, in their units of UTF-16, or in a composed letter. */
  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "p",
          "p ",
          "P",
          "pq",
          "q%",
          "_",
          "p\u00e4",
          "pa\u0308",
          "\ud83d\ude00",
          "\ud83d\ude00p",
          "'",
          "\\");

  /** One is before some above by its code point and behind them by its unit; one is two lines. */
  private static final List<String> ODD_TEXTS = List.of("\ufffd", "\n");

  private static final List<LocalDate> DATES =
      List.of(
          LocalDate.of(1, 1, 1),
          LocalDate.of(1582, 10, 10),
          LocalDate.of(1900, 2, 28),
          LocalDate.of(1969, 12, 31),
          LocalDate.of(1970, 1, 1),
          LocalDate.of(2000, 2, 29),
          LocalDate.of(9999, 12, 31));

  private static final List<LocalDateTime> TIMES =
      List.of(
          LocalDateTime.of(1, 1, 1, 0, 0),
          LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_000_000),
          LocalDateTime.of(1970, 1, 1, 0, 0, 0, 1_000_000),
          LocalDateTime.of(2000, 2, 29, 12, 0, 0, 500_000_000),
          LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_000_000));

  private final Random random;
  private final boolean odd;

  private LimitTables(long seed) {
    this.random = new Random(seed);
    this.odd = areOdd(seed);
  }

  /**
   * Whether Java's operators and SQL see the order of a seed's doubles or texts differently: NaN, a
   * zero with a sign, and code points of two units of UTF-16.
   */
  static boolean areOdd(long seed) {
    return Math.floorMod(seed, 2) == 1;
  }

  /** Tables {@code a}, {@code b} and {@code c}, the last of some seeds empty. */
  static Map<String, MemoryTable> of(long seed) {
    LimitTables tables = new LimitTables(seed);
    Map<String, MemoryTable> all = new LinkedHashMap<>();
    all.put("a", tables.table("a", 20 + tables.random.nextInt(15), 1_000_000));
    all.put("b", tables.table("b", 10 + tables.random.nextInt(15), 1_000_000));
    all.put("c", tables.table("c", seed % 5 == 0 ? 0 : tables.random.nextInt(8), 10));
    return all;
  }

  private MemoryTable table(String name, int rows, double rowCount) {
    Schema schema =
        Schema.builder()
            .addFields(
                Field.of(name + "_id", FieldType.INT64),
                Field.nullable(name + "_k", FieldType.INT64),
                Field.nullable(name + "_n", FieldType.INT32),
                Field.nullable(name + "_l", FieldType.INT64),
                Field.nullable(name + "_d", FieldType.DECIMAL).withDescription("18,4"),
                Field.nullable(name + "_w", FieldType.DECIMAL).withDescription("38,10"),
                Field.nullable(name + "_x", FieldType.DOUBLE),
                Field.nullable(name + "_s", FieldType.STRING),
                Field.nullable(name + "_t", CalciteUtils.DATE),
                Field.nullable(name + "_z", FieldType.DATETIME),
                Field.nullable(name + "_b", FieldType.BOOLEAN))
            .build();
    List<Row> all = new ArrayList<>();
    for (long id = 0; id < rows; id++) {
      all.add(
          Row.withSchema(schema)
              .addValues(
                  id,
                  orNull((long) random.nextInt(5)),
                  orNull(atLimit() ? one(INTS) : (Integer) (random.nextInt(7) - 2)),
                  orNull(atLimit() ? one(LONGS) : (Long) (random.nextInt(7) - 2L)),
                  orNull(decimal(DECIMALS, 4)),
                  orNull(decimal(WIDE_DECIMALS, 10)),
                  orNull(real()),
                  orNull(one(odd && atLimit() ? ODD_TEXTS : TEXTS)),
                  orNull(
                      atLimit()
                          ? one(DATES)
                          : LocalDate.of(1995, 1 + random.nextInt(3), 1 + random.nextInt(4))),
                  orNull(instant()),
                  orNull(random.nextBoolean()))
              .build());
    }
    return new MemoryTable(schema, all, rowCount);
  }

  private BigDecimal decimal(List<String> limits, int scale) {
    BigDecimal value =
        atLimit()
            ? new BigDecimal(one(limits))
            : new BigDecimal(
                BigInteger.valueOf(random.nextInt(2000) - 500L),
                random.nextInt(Math.min(scale, 4)));
    // As the files have it, in which each value has the digits of its column.
    return value.setScale(scale);
  }

  private Double real() {
    return atLimit()
        ? one(odd ? ODD_DOUBLES : DOUBLES)
        : Double.valueOf((random.nextInt(9) - 2) / (double) (1 << random.nextInt(3)) + 0.25);
  }

  private Instant instant() {
    LocalDateTime time =
        atLimit()
            ? one(TIMES)
            : LocalDateTime.of(1995, 1, 1 + random.nextInt(4), random.nextInt(3), 0, 0)
                .plusNanos(random.nextInt(3) * 1_000_000L);
    return Instant.ofEpochMilli(time.toInstant(ZoneOffset.UTC).toEpochMilli());
  }

  private boolean atLimit() {
    return random.nextInt(LIMIT_IN) == 0;
  }

  private <T> T one(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private Object orNull(Object value) {
    return random.nextInt(NULL_IN) == 0 ? null : value;
  }
}
