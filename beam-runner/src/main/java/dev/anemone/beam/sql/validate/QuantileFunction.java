// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelCollations;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelFieldCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Values;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.OperandTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.ReturnTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.Optionality;

/**
 * {@code PERCENTILE_CONT} and {@code PERCENTILE_DISC} with their fraction and direction, as
 * functions of what is ordered. Calcite has the fraction in a column of the input, which rules move
 * away, and infers the type of such a call only while it is validated.
 *
 * <pre>
 * before:  Aggregate(PERCENTILE_CONT($0) WITHIN GROUP (ORDER BY $1)); Project(0.5, x)
 * after:   Aggregate(PERCENTILE_CONT(0.5)($1)); Project(0.5, x)
 * </pre>
 */
public final class QuantileFunction extends SqlAggFunction {

  private static final SqlReturnTypeInference DOUBLE =
      ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE);
  private static final SqlReturnTypeInference SAME =
      ReturnTypes.ARG0.andThen(SqlTypeTransforms.FORCE_NULLABLE);

  private final boolean continuous;
  private final double fraction;
  private final boolean descending;

  private QuantileFunction(SqlKind kind, double fraction, boolean descending) {
    super(
        kind + "(" + fraction + ")" + (descending ? " DESC" : ""),
        null,
        SqlKind.OTHER_FUNCTION,
        kind == SqlKind.PERCENTILE_CONT ? DOUBLE : SAME,
        null,
        OperandTypes.NUMERIC,
        SqlFunctionCategory.SYSTEM,
        false,
        false,
        Optionality.FORBIDDEN);
    this.continuous = kind == SqlKind.PERCENTILE_CONT;
    this.fraction = fraction;
    this.descending = descending;
  }

  /** Whether it may lie between two values, as a double, and not only be one of them. */
  public boolean continuous() {
    return continuous;
  }

  /** Which part of the values lies before it, from 0 to 1. */
  public double fraction() {
    return fraction;
  }

  /** Whether large values come first. */
  public boolean descending() {
    return descending;
  }

  /**
   * An aggregation as it was converted, with such functions in the place of Calcite's.
   *
   * @throws UnsupportedSqlException if a fraction is no constant
   */
  public static Aggregate said(Aggregate aggregate) {
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(isPercentile(call) ? said(call, aggregate) : call);
    }
    return calls.equals(aggregate.getAggCallList())
        ? aggregate
        : LogicalAggregate.create(
            aggregate.getInput(),
            aggregate.getHints(),
            aggregate.getGroupSet(),
            aggregate.getGroupSets(),
            calls);
  }

  private static boolean isPercentile(AggregateCall call) {
    SqlKind kind = call.getAggregation().getKind();
    return kind == SqlKind.PERCENTILE_CONT || kind == SqlKind.PERCENTILE_DISC;
  }

  private static AggregateCall said(AggregateCall call, Aggregate aggregate) {
    RelFieldCollation order = call.getCollation().getFieldCollations().get(0);
    QuantileFunction function =
        new QuantileFunction(
            call.getAggregation().getKind(),
            fraction(call, aggregate.getInput()),
            order.getDirection().isDescending());
    return AggregateCall.create(
        call.getParserPosition(),
        function,
        call.isDistinct(),
        false,
        false,
        List.of(),
        List.of(order.getFieldIndex()),
        call.filterArg,
        call.distinctKeys,
        RelCollations.EMPTY,
        call.getType(),
        call.getName());
  }

  private static double fraction(AggregateCall call, RelNode input) {
    int column = call.getArgList().get(0);
    if (input instanceof Project project && isConstant(project.getProjects().get(column))) {
      return value((RexLiteral) project.getProjects().get(column));
    }
    if (input instanceof Values values) {
      return values.getTuples().isEmpty() ? 0 : value(values.getTuples().get(0).get(column));
    }
    throw new UnsupportedSqlException(
        "The fraction of " + call.getAggregation().getName() + " is no constant.");
  }

  private static boolean isConstant(RexNode expression) {
    return expression instanceof RexLiteral literal && !literal.isNull();
  }

  private static double value(RexLiteral literal) {
    return literal.getValueAs(Double.class);
  }
}
