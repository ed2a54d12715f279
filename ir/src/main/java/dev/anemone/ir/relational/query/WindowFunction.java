// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.AggregateFunction;
import java.util.Locale;
import java.util.Optional;

/** What a row gets of the rows around it. */
public enum WindowFunction {
  /** How many rows come before it in its partition, and one. */
  ROW_NUMBER(Kind.PLACE),
  /** How many rows of its partition come before its equals, and one. */
  RANK(Kind.PLACE),
  /** How many different orders come before its own in its partition, and one. */
  DENSE_RANK(Kind.PLACE),
  /** The part of the other rows of its partition that come before its equals: from 0 to 1. */
  PERCENT_RANK(Kind.SHARE),
  /** The part of the rows of its partition that do not come behind its equals: up to 1. */
  CUME_DIST(Kind.SHARE),
  /** In which of so many parts of equal size it is, from 1; the first ones are larger by a row. */
  NTILE(Kind.PART),
  /** The value of the row so many rows before it in its partition; null if there is none. */
  LAG(Kind.NEIGHBOUR),
  /** The value of the row so many rows behind it in its partition; null if there is none. */
  LEAD(Kind.NEIGHBOUR),
  /** The value of the first row of the frame. */
  FIRST_VALUE(Kind.END),
  /** The value of the last row of the frame. */
  LAST_VALUE(Kind.END),
  /** The value of the frame's row with that number, from 1. */
  NTH_VALUE(Kind.NTH),
  VAR_POP(Kind.SPREAD),
  VAR_SAMP(Kind.SPREAD),
  STDDEV_POP(Kind.SPREAD),
  STDDEV_SAMP(Kind.SPREAD),
  SUM(AggregateFunction.SUM),
  COUNT(AggregateFunction.COUNT),
  MIN(AggregateFunction.MIN),
  MAX(AggregateFunction.MAX);

  private final Kind kind;
  private final Optional<AggregateFunction> aggregate;

  WindowFunction(Kind kind) {
    this.kind = kind;
    this.aggregate = Optional.empty();
  }

  WindowFunction(AggregateFunction aggregate) {
    this.kind = Kind.AGGREGATE;
    this.aggregate = Optional.of(aggregate);
  }

  /** What functions have in common: their arguments, and what their results are. */
  enum Kind {
    /** A place in the order, a whole number. */
    PLACE,
    /** A place in the order, a part of 1. */
    SHARE,
    /** A place in the order, in a number of parts. */
    PART,
    /** A value at a distance. */
    NEIGHBOUR,
    /** A value at an end of the frame. */
    END,
    /** A value in the frame. */
    NTH,
    /** How much the doubles of the frame differ. */
    SPREAD,
    AGGREGATE;

    boolean hasColumn() {
      return needsColumn() || this == AGGREGATE;
    }

    boolean needsColumn() {
      return hasValue() || this == SPREAD;
    }

    /** Whether it gives the value of a row. */
    boolean hasValue() {
      return this == NEIGHBOUR || this == END || this == NTH;
    }

    boolean hasNumber() {
      return this == PART || this == NEIGHBOUR || this == NTH;
    }
  }

  Kind kind() {
    return kind;
  }

  /** The aggregate of the rows of a frame, empty for all others. */
  public Optional<AggregateFunction> aggregate() {
    return aggregate;
  }

  /** Whether it sees the rows of a frame only, not all of its partition. */
  public boolean isFramed() {
    return switch (kind) {
      case AGGREGATE, SPREAD, END, NTH -> true;
      case PLACE, SHARE, PART, NEIGHBOUR -> false;
    };
  }

  /** How much the doubles of a frame differ, empty for all others. */
  public Optional<SpreadFunction> spread() {
    return kind == Kind.SPREAD ? Optional.of(SpreadFunction.valueOf(name())) : Optional.empty();
  }

  /** The name in a query. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
