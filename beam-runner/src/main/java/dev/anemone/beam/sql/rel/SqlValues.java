// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.codegen.Times;
import java.time.LocalDate;
import java.time.LocalTime;
import org.apache.beam.sdk.values.Row;

/**
 * Values of rows as Calcite's generated code computes with them: dates are days and times are
 * milliseconds. Public, as generated code calls it.
 */
public final class SqlValues {

  private static final int NANOS_PER_MILLI = 1_000_000;

  private SqlValues() {}

  /** Days since 1970-01-01. */
  public static Integer date(Row row, int column) {
    LocalDate date = row.getValue(column);
    return date == null ? null : Math.toIntExact(date.toEpochDay());
  }

  /** Milliseconds of the day. */
  public static Integer time(Row row, int column) {
    LocalTime time = row.getValue(column);
    return time == null ? null : Math.toIntExact(time.toNanoOfDay() / NANOS_PER_MILLI);
  }

  /** Milliseconds since 1970-01-01. */
  public static Long timestamp(Row row, int column) {
    Object value = row.getValue(column);
    return value == null ? null : (Long) Times.millis(value);
  }
}
