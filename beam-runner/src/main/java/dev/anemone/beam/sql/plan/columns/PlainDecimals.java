// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan.columns;

import java.math.BigDecimal;
import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Project;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Keeps decimals short. Calcite gives constants the type of what they are compared with, and all 38
 * digits of its scale, so that they do not fit into a {@code long}; and puts in casts between types
 * of decimals that change no value.
 */
public final class PlainDecimals extends RelHomogeneousShuttle {

  @Override
  public RelNode visit(RelNode node) {
    Shorten shorten = new Shorten(node.getCluster().getRexBuilder());
    RelNode shorter = super.visit(node).accept(shorten);
    return shorter instanceof Project project
        ? project.copy(
            project.getTraitSet(),
            project.getInput(),
            project.getProjects().stream().map(shorten::column).toList(),
            project.getRowType())
        : shorter;
  }

  private static final class Shorten extends RexShuttle {
    private final RexBuilder builder;
    private final RelDataType widest;

    Shorten(RexBuilder builder) {
      this.builder = builder;
      this.widest = builder.getTypeFactory().createSqlType(SqlTypeName.DECIMAL);
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (call.isA(SqlKind.SEARCH) && SqlTypeUtil.isDecimal(call.getOperands().get(0).getType())) {
        return RexUtil.expandSearch(builder, null, call).accept(this);
      }
      RexNode visited = super.visitCall(call);
      if (!(visited instanceof RexCall inner) || inner.isA(SqlKind.CAST)) {
        return visited;
      }
      boolean isCompared = inner.isA(SqlKind.COMPARISON);
      List<RexNode> operands =
          inner.getOperands().stream().map(operand -> operand(operand, isCompared)).toList();
      // What an operand became may be an AND in an AND, which Calcite does not allow in a filter.
      return RexUtil.flatten(
          builder,
          operands.equals(inner.getOperands()) ? inner : inner.clone(inner.getType(), operands));
    }

    private RexNode operand(RexNode operand, boolean isCompared) {
      if (operand instanceof RexLiteral literal) {
        return shorter(literal);
      }
      return operand.isA(SqlKind.CAST) && losesNothing((RexCall) operand, isCompared)
          ? ((RexCall) operand).getOperands().get(0)
          : operand;
    }

    /** A column of a projection, which keeps its type. */
    RexNode column(RexNode expression) {
      return expression instanceof RexLiteral literal && !shorter(literal).equals(literal)
          ? builder.makeAbstractCast(literal.getType(), shorter(literal), false)
          : expression;
    }

    private RexLiteral shorter(RexLiteral literal) {
      if (!(literal.getValue() instanceof BigDecimal value)
          || !SqlTypeUtil.isDecimal(literal.getType())
          || value.scale() != widest.getScale()) {
        return literal;
      }
      BigDecimal stripped = value.stripTrailingZeros();
      BigDecimal shorter = stripped.scale() < 0 ? stripped.setScale(0) : stripped;
      // Without a type it would be a whole number, whose quotients are whole numbers.
      int digits = Math.max(shorter.precision(), shorter.scale());
      return builder.makeExactLiteral(
          shorter,
          builder.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, digits, shorter.scale()));
    }

    /** Values that are compared may have other digits behind the point than the type. */
    private boolean losesNothing(RexCall cast, boolean isCompared) {
      RelDataType from = cast.getOperands().get(0).getType();
      RelDataType to = cast.getType();
      if (!SqlTypeUtil.isDecimal(from) || !SqlTypeUtil.isDecimal(to)) {
        return false;
      }
      return SqlTypeUtil.equalSansNullability(builder.getTypeFactory(), to, widest)
          || (isCompared
              && from.getScale() <= to.getScale()
              && from.getPrecision() - from.getScale() <= to.getPrecision() - to.getScale());
    }
  }
}
