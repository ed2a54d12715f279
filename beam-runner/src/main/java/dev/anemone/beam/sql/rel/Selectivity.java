// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.Sarg;

/**
 * Which part of rows satisfies a condition, by the look of it, as System R guessed (Selinger et
 * al., SIGMOD 1979): nothing is known of the values.
 */
public final class Selectivity {

  private static final double EQUAL = 0.1;
  private static final double COMPARED = 0.35;
  private static final double RANGE = 0.2;
  private static final double LIKE = 0.15;
  private static final double MOST_OF_LIST = 0.5;
  private static final double UNKNOWN = 0.5;

  private Selectivity() {}

  /** From 0 to 1. */
  public static double of(RexNode condition) {
    if (condition.isAlwaysTrue()) {
      return 1;
    }
    if (!(condition instanceof RexCall call)) {
      return condition.isAlwaysFalse() ? 0 : UNKNOWN;
    }
    return switch (call.getKind()) {
      case AND ->
          call.getOperands().stream().mapToDouble(Selectivity::of).reduce(1, (a, b) -> a * b);
      case OR -> Math.min(1, call.getOperands().stream().mapToDouble(Selectivity::of).sum());
      case NOT -> 1 - of(call.getOperands().get(0));
      case EQUALS, IS_NOT_DISTINCT_FROM, IS_NULL -> EQUAL;
      case NOT_EQUALS, IS_DISTINCT_FROM, IS_NOT_NULL -> 1 - EQUAL;
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> COMPARED;
      case LIKE -> LIKE;
      case SEARCH -> ofSearch(call);
      default -> UNKNOWN;
    };
  }

  private static double ofSearch(RexCall search) {
    Sarg<?> values = ((RexLiteral) search.getOperands().get(1)).getValueAs(Sarg.class);
    if (values == null) {
      return UNKNOWN;
    }
    if (values.isPoints()) {
      return Math.min(MOST_OF_LIST, values.pointCount * EQUAL);
    }
    return values.isComplementedPoints() ? 1 - EQUAL : RANGE;
  }
}
