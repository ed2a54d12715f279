// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlBasicCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlIdentifier;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlSyntax;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.OperandTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.ReturnTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.Optionality;

/**
 * Operators, but for those whose results may be NULL where Calcite's own say that they cannot be,
 * so that what is generated for these would not look for it: a variance or a covariance that is
 * estimated from a sample, of one row, and a quantile of no row. A continuous quantile of whole
 * numbers is a double, and not, as Calcite has it, a whole number. Variances and deviations are
 * there, too, because Calcite makes sums of squares of its own where they stand before {@code
 * OVER}.
 */
public final class NullableFunctions implements SqlOperatorTable {
  private static final Map<SqlOperator, SqlOperator> NULLABLE =
      Map.of(
          SqlStdOperatorTable.PERCENTILE_CONT,
              quantile(SqlStdOperatorTable.PERCENTILE_CONT, ReturnTypes.DOUBLE),
          SqlStdOperatorTable.PERCENTILE_DISC,
              quantile(SqlStdOperatorTable.PERCENTILE_DISC, ReturnTypes.PERCENTILE_DISC_CONT),
          SqlStdOperatorTable.VAR_POP, variance(SqlStdOperatorTable.VAR_POP),
          SqlStdOperatorTable.STDDEV_POP, variance(SqlStdOperatorTable.STDDEV_POP),
          SqlStdOperatorTable.STDDEV_SAMP, variance(SqlStdOperatorTable.STDDEV_SAMP),
          SqlStdOperatorTable.STDDEV, variance(SqlStdOperatorTable.STDDEV),
          SqlStdOperatorTable.VAR_SAMP, variance(SqlStdOperatorTable.VAR_SAMP),
          SqlStdOperatorTable.VARIANCE, variance(SqlStdOperatorTable.VARIANCE),
          SqlStdOperatorTable.COVAR_SAMP,
              nullable(
                  SqlStdOperatorTable.COVAR_SAMP,
                  ReturnTypes.COVAR_REGR_FUNCTION,
                  OperandTypes.NUMERIC_NUMERIC));

  private final SqlOperatorTable operators;

  /** Those among some operators. */
  public NullableFunctions(SqlOperatorTable operators) {
    this.operators = operators;
  }

  private static SqlOperator variance(SqlAggFunction function) {
    return nullable(function, ReturnTypes.AVG_AGG_FUNCTION, OperandTypes.NUMERIC);
  }

  private static SqlOperator quantile(SqlAggFunction function, SqlReturnTypeInference type) {
    return SqlBasicAggFunction.create(
            function.getKind(),
            type.andThen(SqlTypeTransforms.FORCE_NULLABLE),
            OperandTypes.UNIT_INTERVAL_NUMERIC_LITERAL)
        .withFunctionType(SqlFunctionCategory.SYSTEM)
        .withGroupOrder(Optionality.MANDATORY)
        .withPercentile(true)
        .withAllowsFraming(false);
  }

  private static SqlOperator nullable(
      SqlAggFunction function, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return SqlBasicAggFunction.create(
        function.getName(),
        function.getKind(),
        type.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        operands);
  }

  /** Puts them into a statement where the parser has not looked for an operator in a table. */
  public static void putInto(SqlNode statement) {
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            if (call instanceof SqlBasicCall basic) {
              basic.setOperator(nullable(basic.getOperator()));
            }
            return super.visit(call);
          }
        });
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier name,
      SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> found,
      SqlNameMatcher matcher) {
    List<SqlOperator> known = new ArrayList<>();
    operators.lookupOperatorOverloads(name, category, syntax, known, matcher);
    known.forEach(operator -> found.add(nullable(operator)));
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    return operators.getOperatorList().stream().map(NullableFunctions::nullable).toList();
  }

  /** An operator, or the one in its place. */
  static SqlOperator nullable(SqlOperator operator) {
    return NULLABLE.getOrDefault(operator, operator);
  }
}
