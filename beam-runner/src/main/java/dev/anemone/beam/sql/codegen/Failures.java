// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import dev.anemone.ir.relational.AskingOrder;
import java.util.ArrayList;
import java.util.HashSet;
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
 * Which expressions may fail, for a number that does not fit or a division by zero, and so in which
 * order conditions are asked, in rows as in columns.
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
   * The parts of a conjunction in the order in which they are asked. Calcite's own way to take one
   * apart does not know references to a program.
   */
  List<RexNode> conjuncts(RexNode condition) {
    List<RexNode> conjuncts = new ArrayList<>();
    addConjuncts(condition, conjuncts);
    return inOrder(conjuncts);
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

  /** The same conditions in the order in which they are asked. */
  List<RexNode> inOrder(List<RexNode> conditions) {
    return AskingOrder.levels(conditions, this::of).stream().flatMap(List::stream).toList();
  }

  private Set<RexNode> of(RexNode node) {
    Set<RexNode> all = new HashSet<>();
    addTo(all, node);
    return all;
  }

  private void addTo(Set<RexNode> all, RexNode node) {
    if (node instanceof RexLocalRef ref) {
      addTo(all, program.getExprList().get(ref.getIndex()));
    } else if (node instanceof RexCall call) {
      if (!isSafe(call)) {
        all.add(call);
      }
      call.getOperands().forEach(operand -> addTo(all, operand));
    }
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
