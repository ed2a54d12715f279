// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexOver;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexWindow;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Says by a CASE what {@code LAG} and {@code LEAD} give in the place of a row that is not there.
 *
 * <pre>
 * before:  LAG(x, n, d) OVER w
 * after:   CASE WHEN LAG(TRUE, n) OVER w IS NULL THEN d ELSE LAG(x, n) OVER w END
 * </pre>
 *
 * <p>Where NULL is passed over, what is found is not NULL, and tells it itself.
 */
final class NeighbourDefaults extends RexShuttle {

  private final RexBuilder rexBuilder;

  private NeighbourDefaults(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  /** An expression with its defaults said so. */
  static RexNode said(RexNode expression, RexBuilder rexBuilder) {
    return expression.accept(new NeighbourDefaults(rexBuilder));
  }

  static boolean isOfNeighbour(RexOver over) {
    SqlKind kind = over.getAggOperator().getKind();
    return kind == SqlKind.LAG || kind == SqlKind.LEAD;
  }

  @Override
  public RexNode visitOver(RexOver over) {
    List<RexNode> operands = over.getOperands();
    if (!isOfNeighbour(over) || operands.size() < 3) {
      return over;
    }
    RexNode value = neighbour(over, operands.get(0));
    RexNode witness = over.ignoreNulls() ? value : neighbour(over, rexBuilder.makeLiteral(true));
    return rexBuilder.makeCall(
        over.getType(),
        SqlStdOperatorTable.CASE,
        List.of(
            rexBuilder.makeCall(SqlStdOperatorTable.IS_NULL, witness),
            rexBuilder.ensureType(over.getType(), operands.get(2), true),
            rexBuilder.ensureType(over.getType(), value, true)));
  }

  private RexNode neighbour(RexOver over, RexNode value) {
    RexWindow window = over.getWindow();
    return rexBuilder.makeOver(
        rexBuilder.getTypeFactory().createTypeWithNullability(value.getType(), true),
        over.getAggOperator(),
        List.of(value, over.getOperands().get(1)),
        window.partitionKeys,
        window.orderKeys,
        window.getLowerBound(),
        window.getUpperBound(),
        window.getExclude(),
        window.isRows(),
        true,
        false,
        false,
        over.ignoreNulls());
  }
}
