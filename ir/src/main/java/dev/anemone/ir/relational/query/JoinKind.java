// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import java.util.Locale;

/** Which rows of two sides a join gives. */
public enum JoinKind {
  /** Pairs that match. */
  INNER(false, false),
  /** Pairs that match, and rows of the left side without a match. */
  LEFT(false, true),
  /** Pairs that match, and rows of the right side without a match. */
  RIGHT(true, false),
  /** Pairs that match, and rows of both sides without a match. */
  FULL(true, true),
  /** Rows of the left side with a match, each once. */
  SEMI(false, false),
  /** Rows of the left side without a match. */
  ANTI(false, false);

  private final boolean leftNullable;
  private final boolean rightNullable;

  JoinKind(boolean leftNullable, boolean rightNullable) {
    this.leftNullable = leftNullable;
    this.rightNullable = rightNullable;
  }

  /** Whether columns of the left side may be null for want of a match. */
  public boolean makesLeftNullable() {
    return leftNullable;
  }

  /** Whether columns of the right side may be null for want of a match. */
  public boolean makesRightNullable() {
    return rightNullable;
  }

  /** Whether the rows have the columns of both sides. */
  public boolean hasBothSides() {
    return this != SEMI && this != ANTI;
  }

  /** The name in a query. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
