// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.runtime.SqlFunctions;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/**
 * Functions of texts that are NULL when an argument is, as methods of Java: of {@link CodePoints}
 * where characters are counted, and of Calcite for others.
 */
final class TextFunctions {

  /**
   * A method that takes texts before whole numbers.
   *
   * @param texts how many texts it takes
   */
  private record Method(Class<?> owner, String name, int texts) {

    boolean takes(List<RexNode> operands) {
      return IntStream.range(0, operands.size())
          .allMatch(
              i ->
                  (i < texts ? SqlTypeName.CHAR_TYPES : SqlTypeName.INT_TYPES)
                      .contains(operands.get(i).getType().getSqlTypeName()));
    }
  }

  private static final Map<SqlOperator, Method> METHODS =
      Map.of(
          SqlStdOperatorTable.UPPER, new Method(SqlFunctions.class, "upper", 1),
          SqlStdOperatorTable.LOWER, new Method(SqlFunctions.class, "lower", 1),
          SqlStdOperatorTable.CONCAT, new Method(SqlFunctions.class, "concat", 2),
          SqlStdOperatorTable.CHAR_LENGTH, new Method(CodePoints.class, "length", 1),
          SqlStdOperatorTable.CHARACTER_LENGTH, new Method(CodePoints.class, "length", 1),
          SqlStdOperatorTable.SUBSTRING, new Method(CodePoints.class, "substring", 1),
          SqlStdOperatorTable.POSITION, new Method(CodePoints.class, "position", 2),
          SqlStdOperatorTable.OVERLAY, new Method(CodePoints.class, "overlay", 2));

  private TextFunctions() {}

  /**
   * The start of a call of the method that runs an operator.
   *
   * @throws UntranslatableException if there is none for these operands
   */
  static String java(SqlOperator operator, List<RexNode> operands) throws UntranslatableException {
    Method method = METHODS.get(operator);
    if (method == null || !method.takes(operands)) {
      throw new UntranslatableException(operator + " of " + operands);
    }
    return method.owner().getName() + "." + method.name();
  }

  /** A call of such a method. */
  static String call(String method, List<Term> operands) {
    return operands.stream().map(Term::value).collect(Collectors.joining(", ", method + "(", ")"));
  }
}
