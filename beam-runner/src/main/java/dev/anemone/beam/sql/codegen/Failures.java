// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLocalRef;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexProgram;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/**
 * Which expressions may fail, for a number that does not fit or a division by zero. Conditions that
 * may are asked after those that cannot, in rows as in columns, so that {@code 1 / n > 2 AND n <>
 * 0} means the same in any order.
 */
final class Failures {

  private static final Set<SqlKind> SAFE_KINDS =
      Set.of(
          SqlKind.AND,
          SqlKind.OR,
          SqlKind.NOT,
          SqlKind.IS_NULL,
          SqlKind.IS_NOT_NULL,
          SqlKind.IS_TRUE,
          SqlKind.IS_NOT_TRUE,
          SqlKind.IS_FALSE,
          SqlKind.IS_NOT_FALSE,
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL,
          SqlKind.SEARCH,
          SqlKind.LIKE,
          SqlKind.CASE,
          SqlKind.COALESCE,
          SqlKind.EXTRACT);

  private static final Set<SqlOperator> SAFE_FUNCTIONS =
      Set.of(
          SqlStdOperatorTable.UPPER,
          SqlStdOperatorTable.LOWER,
          SqlStdOperatorTable.CHAR_LENGTH,
          SqlStdOperatorTable.CHARACTER_LENGTH,
          SqlStdOperatorTable.CONCAT,
          SqlStdOperatorTable.POSITION,
          SqlStdOperatorTable.TRIM);

  private final RexProgram program;

  Failures(RexProgram program) {
    this.program = program;
  }

  /**
   * The parts of a conjunction, those that may fail behind the others. Calcite's own way to take
   * one apart does not know references to a program.
   */
  List<RexNode> conjuncts(RexNode condition) {
    List<RexNode> conjuncts = new ArrayList<>();
    addConjuncts(condition, conjuncts);
    return last(conjuncts);
  }

  private void addConjuncts(RexNode condition, List<RexNode> conjuncts) {
    if (condition instanceof RexLocalRef ref) {
      addConjuncts(program.getExprList().get(ref.getIndex()), conjuncts);
    } else if (condition.isA(SqlKind.AND)) {
      ((RexCall) condition).getOperands().forEach(part -> addConjuncts(part, conjuncts));
    } else {
      conjuncts.add(condition);
    }
  }

  /** The same conditions, those that may fail behind the others. */
  List<RexNode> last(List<RexNode> conditions) {
    List<RexNode> safe = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    for (RexNode condition : conditions) {
      (mayFail(condition) ? others : safe).add(condition);
    }
    safe.addAll(others);
    return safe;
  }

  private boolean mayFail(RexNode node) {
    if (node instanceof RexLocalRef ref) {
      return mayFail(program.getExprList().get(ref.getIndex()));
    }
    return node instanceof RexCall call
        && (!isSafe(call) || call.getOperands().stream().anyMatch(this::mayFail));
  }

  private static boolean isSafe(RexCall call) {
    return switch (call.getKind()) {
      case PLUS, MINUS, TIMES, MINUS_PREFIX ->
          isAny(call.getType(), SqlTypeName.DOUBLE, SqlTypeName.DECIMAL);
      case DIVIDE -> isAny(call.getType(), SqlTypeName.DOUBLE);
      case CAST -> isSafe(call.getOperands().get(0).getType(), call.getType());
      default -> SAFE_KINDS.contains(call.getKind()) || SAFE_FUNCTIONS.contains(call.getOperator());
    };
  }

  /** Whether each value of a type becomes one of another. */
  private static boolean isSafe(RelDataType from, RelDataType to) {
    return switch (to.getSqlTypeName()) {
      case VARCHAR -> true;
      case DOUBLE -> !isAny(from, SqlTypeName.VARCHAR, SqlTypeName.CHAR);
      case BIGINT -> isAny(from, SqlTypeName.BIGINT, SqlTypeName.INTEGER);
      case DECIMAL -> false;
      default -> from.getSqlTypeName() == to.getSqlTypeName();
    };
  }

  private static boolean isAny(RelDataType type, SqlTypeName... names) {
    return List.of(names).contains(type.getSqlTypeName());
  }
}
