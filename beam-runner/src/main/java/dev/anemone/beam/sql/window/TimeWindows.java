// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.window;

import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import java.util.List;
import org.apache.beam.sdk.transforms.windowing.FixedWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Sessions;
import org.apache.beam.sdk.transforms.windowing.SlidingWindows;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.joda.time.Duration;

/** Beam's windows for those of SQL. */
final class TimeWindows {

  private TimeWindows() {}

  /**
   * The windows that a function makes.
   *
   * @param function TUMBLE, HOP or SESSION
   * @param time the type of the column that they are of
   * @param lengths its operands that are lengths of time: of TUMBLE the size and an offset; of HOP
   *     the period, the size and an offset; of SESSION the gap
   * @throws UnsupportedSqlException if there are no such windows
   */
  static WindowFn<Object, IntervalWindow> of(
      String function, RelDataType time, List<RexNode> lengths) {
    if (time.getSqlTypeName() != SqlTypeName.TIMESTAMP) {
      throw new UnsupportedSqlException(
          "%s of a column of type %s is not supported. CAST it to TIMESTAMP."
              .formatted(function, time));
    }
    List<Duration> given = lengths.stream().map(length -> duration(function, length)).toList();
    try {
      if (function.equals("TUMBLE") && given.size() <= 2) {
        return FixedWindows.of(given.get(0)).withOffset(offset(given, 1));
      }
      if (function.equals("HOP") && given.size() <= 3) {
        return SlidingWindows.of(given.get(1)).every(given.get(0)).withOffset(offset(given, 2));
      }
      if (function.equals("SESSION") && given.size() == 1) {
        return Sessions.withGapDuration(given.get(0));
      }
    } catch (IllegalArgumentException impossible) {
      UnsupportedSqlException unsupported =
          new UnsupportedSqlException(
              "There are no windows of %s with %s.".formatted(function, lengths));
      unsupported.initCause(impossible);
      throw unsupported;
    }
    throw new UnsupportedSqlException(
        "%s with the operands %s is not supported.".formatted(function, lengths));
  }

  private static Duration offset(List<Duration> given, int index) {
    return given.size() > index ? given.get(index) : Duration.ZERO;
  }

  private static Duration duration(String function, RexNode length) {
    if (length instanceof RexLiteral literal) {
      if (SqlTypeName.DAY_INTERVAL_TYPES.contains(literal.getTypeName())) {
        return Duration.millis(literal.getValueAs(Long.class));
      }
      if (literal.getTypeName() == SqlTypeName.TIME) {
        return Duration.millis(literal.getValueAs(Integer.class));
      }
    }
    throw new UnsupportedSqlException(
        ("%s with %s is not supported: a length of time is a constant, such as INTERVAL '1' HOUR,"
                + " and has no months or years.")
            .formatted(function, length));
  }

  /** How a plan names them. */
  static String describe(WindowFn<Object, IntervalWindow> windows) {
    if (windows instanceof FixedWindows fixed) {
      return "TUMBLE(%s, %s)".formatted(fixed.getSize(), fixed.getOffset());
    }
    if (windows instanceof SlidingWindows sliding) {
      return "HOP(%s, %s, %s)"
          .formatted(sliding.getPeriod(), sliding.getSize(), sliding.getOffset());
    }
    return "SESSION(%s)".formatted(((Sessions) windows).getGapDuration());
  }
}
