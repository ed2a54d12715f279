// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.impl.SqlConversionException;
import org.joda.time.ReadableInstant;

/**
 * What came of a query: its rows, or why there are none.
 *
 * @param kind what came of it
 * @param rows sorted where the query has no order; values of a kind are of one class
 * @param message of the failure
 */
record Outcome(Kind kind, List<List<Object>> rows, String message) {

  private static final MathContext DIGITS = new MathContext(12, RoundingMode.HALF_UP);

  /**
   * Quotients of decimals have four digits more behind the point: with one more only, what was
   * rounded there before would often be rounded another way than what was not.
   */
  private static final int SCALE = 12;

  /** What may come of a query. */
  enum Kind {
    ROWS,
    /** A number did not fit. */
    OVERFLOW,
    DIVISION_BY_ZERO,
    /** The planner said that it cannot. */
    REFUSED,
    FAILED
  }

  /** Runs a query. */
  static Outcome of(Callable<List<List<Object>>> query, boolean ordered) {
    try {
      return of(query.call(), ordered);
    } catch (Exception | AssertionError failure) {
      String message = messages(failure);
      return new Outcome(kind(failure, message), List.of(), message);
    }
  }

  static Outcome of(List<List<Object>> values, boolean ordered) {
    Stream<List<Object>> rows = values.stream().map(Outcome::comparable);
    return new Outcome(
        Kind.ROWS,
        (ordered ? rows : rows.sorted(Comparator.comparing(Object::toString))).toList(),
        "");
  }

  private static Kind kind(Throwable failure, String message) {
    if (failure instanceof SqlConversionException) {
      return Kind.REFUSED;
    }
    if (message.contains("by zero")) {
      return Kind.DIVISION_BY_ZERO;
    }
    boolean overflow =
        Stream.of(
                "overflow",
                "Overflow",
                "out of range",
                "out of the range",
                "Could not cast value",
                "more than the 38 that a decimal",
                "Conversion Error: Type")
            .anyMatch(message::contains);
    return overflow ? Kind.OVERFLOW : Kind.FAILED;
  }

  private static String messages(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      all.append(cause.getClass().getSimpleName()).append(": ").append(cause.getMessage());
      all.append('\n');
    }
    return all.toString();
  }

  private static List<Object> comparable(List<Object> row) {
    List<Object> values = new ArrayList<>();
    for (Object value : row) {
      values.add(value == null ? null : comparable(value));
    }
    return values;
  }

  private static Object comparable(Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal.stripTrailingZeros();
    } else if (value instanceof Integer || value instanceof Long) {
      return ((Number) value).longValue();
    } else if (value instanceof ReadableInstant instant) {
      return Instant.ofEpochMilli(instant.getMillis());
    }
    return value;
  }

  boolean isFailure() {
    return kind != Kind.ROWS;
  }

  /** Whether a number was the reason of the failure. */
  boolean isNumeric() {
    return kind == Kind.OVERFLOW || kind == Kind.DIVISION_BY_ZERO;
  }

  /** Whether the same came of both, but for digits that nobody promises. */
  boolean isLike(Outcome other) {
    return kind == other.kind && rounded(rows).equals(rounded(other.rows));
  }

  private static List<List<Object>> rounded(List<List<Object>> rows) {
    List<List<Object>> all = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> values = new ArrayList<>();
      row.forEach(value -> values.add(rounded(value)));
      all.add(values);
    }
    return all;
  }

  private static Object rounded(Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal.setScale(SCALE, RoundingMode.HALF_UP).round(DIGITS).stripTrailingZeros();
    }
    return value instanceof Double number && Double.isFinite(number) && number != 0
        ? new BigDecimal(number.toString()).round(DIGITS).stripTrailingZeros()
        : value;
  }

  @Override
  public String toString() {
    return isFailure() ? kind + " " + message : rows.toString();
  }
}
