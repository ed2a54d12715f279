// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.runtime.SqlFunctions;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/** Functions on strings that are NULL when an argument is: Calcite's own code runs them. */
final class TextFunctions {
  private static final Map<SqlOperator, String> NAMES =
      Map.of(
          SqlStdOperatorTable.UPPER, "upper",
          SqlStdOperatorTable.LOWER, "lower",
          SqlStdOperatorTable.CHAR_LENGTH, "charLength",
          SqlStdOperatorTable.CHARACTER_LENGTH, "charLength",
          SqlStdOperatorTable.SUBSTRING, "substring",
          SqlStdOperatorTable.CONCAT, "concat");

  private TextFunctions() {}

  /**
   * The method of Calcite that runs an operator.
   *
   * @throws UntranslatableException if there is none for these operands
   */
  static String java(SqlOperator operator, List<RexNode> operands) throws UntranslatableException {
    String name = NAMES.get(operator);
    boolean known =
        name != null
            && SqlTypeName.CHAR_TYPES.contains(operands.get(0).getType().getSqlTypeName())
            && operands.stream()
                .skip(1)
                .allMatch(
                    operand ->
                        operator.equals(SqlStdOperatorTable.CONCAT)
                            ? SqlTypeName.CHAR_TYPES.contains(operand.getType().getSqlTypeName())
                            : operand.getType().getSqlTypeName() == SqlTypeName.INTEGER);
    if (!known) {
      throw new UntranslatableException(operator + " of " + operands);
    }
    return name;
  }

  /** A call of such a method. */
  static String call(String method, List<Term> operands) {
    return operands.stream()
        .map(Term::value)
        .collect(Collectors.joining(", ", SqlFunctions.class.getName() + "." + method + "(", ")"));
  }
}
