// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.InvalidPlanException;
import java.util.Locale;
import java.util.Objects;

/**
 * Which rows of its partition a row sees.
 *
 * @param unit what a bound counts; a range counts rows that are equal in the order as one
 * @param start the first row
 * @param end the last row
 */
public record WindowFrame(Unit unit, Bound start, Bound end) {

  /** The distance of a bound without end. */
  public static final long UNBOUNDED = -1;

  /** All rows of the partition. */
  public static final WindowFrame PARTITION =
      new WindowFrame(
          Unit.ROWS, new Bound(Side.PRECEDING, UNBOUNDED), new Bound(Side.FOLLOWING, UNBOUNDED));

  public WindowFrame {
    Objects.requireNonNull(unit, "unit");
    for (Bound bound : new Bound[] {start, end}) {
      if (bound.rows() < UNBOUNDED || (unit == Unit.RANGE && bound.rows() > 0)) {
        throw new InvalidPlanException(
            "a frame ends "
                + bound.rows()
                + " "
                + unit.text()
                + " away; rows can be counted, and ranges end at the current row or nowhere");
      }
    }
  }

  /** What a bound counts. */
  public enum Unit {
    ROWS,
    RANGE;

    /** The name in a query. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** On which side of the row a bound lies. */
  public enum Side {
    PRECEDING,
    FOLLOWING
  }

  /**
   * An end of a frame.
   *
   * @param rows how far away; 0 is the row itself, {@link #UNBOUNDED} the end of the partition
   */
  public record Bound(Side side, long rows) {

    /** The bound in SQL and for people. */
    public String text() {
      String name = side.name().toLowerCase(Locale.ROOT);
      return rows == 0
          ? "current row"
          : (rows == UNBOUNDED ? "unbounded" : String.valueOf(rows)) + " " + name;
    }
  }

  /** The frame as text, for example {@code rows between unbounded preceding and current row}. */
  public String text() {
    return unit.text() + " between " + start.text() + " and " + end.text();
  }
}
