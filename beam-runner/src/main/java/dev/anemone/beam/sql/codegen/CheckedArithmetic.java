// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexBuilder;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.schema.FunctionParameter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlUserDefinedFunction;

/**
 * Makes an expression that Calcite compiles fail where whole numbers overflow, as those do that
 * {@link ExpressionTranslator} compiles. Of itself Calcite's code lets them wrap. It also gives
 * functions the doubles that they ask for.
 */
public final class CheckedArithmetic extends RexShuttle {
  private static final Map<SqlOperator, SqlOperator> CHECKED =
      Map.of(
          SqlStdOperatorTable.PLUS, SqlStdOperatorTable.CHECKED_PLUS,
          SqlStdOperatorTable.MINUS, SqlStdOperatorTable.CHECKED_MINUS,
          SqlStdOperatorTable.MULTIPLY, SqlStdOperatorTable.CHECKED_MULTIPLY,
          SqlStdOperatorTable.DIVIDE, SqlStdOperatorTable.CHECKED_DIVIDE,
          SqlStdOperatorTable.UNARY_MINUS, SqlStdOperatorTable.CHECKED_UNARY_MINUS);

  private final RexBuilder builder;

  /** A visitor that makes calls with a builder. */
  public CheckedArithmetic(RexBuilder builder) {
    this.builder = builder;
  }

  @Override
  public RexNode visitCall(RexCall call) {
    RexNode visited = super.visitCall(call);
    if (call.getOperator() instanceof SqlUserDefinedFunction function) {
      return withDoubles((RexCall) visited, function.getFunction().getParameters());
    }
    SqlOperator checked = CHECKED.get(call.getOperator());
    if (checked == null || !SqlTypeName.INT_TYPES.contains(call.getType().getSqlTypeName())) {
      return visited;
    }
    // The checked functions take two numbers of one width.
    List<RexNode> operands =
        ((RexCall) visited)
            .getOperands().stream()
                .map(operand -> builder.ensureType(call.getType(), operand, false))
                .toList();
    return builder.makeCall(call.getType(), checked, operands);
  }

  /** A function of doubles takes decimals as doubles; Calcite's code would not compile. */
  private RexNode withDoubles(RexCall call, List<FunctionParameter> parameters) {
    List<RexNode> arguments = new ArrayList<>(call.getOperands());
    for (int i = 0; i < Math.min(arguments.size(), parameters.size()); i++) {
      RelDataType parameter = parameters.get(i).getType(builder.getTypeFactory());
      if (SqlTypeUtil.isApproximateNumeric(parameter)
          && SqlTypeUtil.isDecimal(arguments.get(i).getType())) {
        arguments.set(i, builder.ensureType(parameter, arguments.get(i), false));
      }
    }
    return call.clone(call.getType(), arguments);
  }
}
