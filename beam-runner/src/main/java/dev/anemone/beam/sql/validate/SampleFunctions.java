// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlIdentifier;
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
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlNameMatcher;

/**
 * Operators, but for those that estimate a variance or a covariance from a sample: of one row they
 * are NULL, and Calcite's own say that they cannot be where the column is NOT NULL, so that what is
 * generated for their results would not look for it.
 */
public final class SampleFunctions implements SqlOperatorTable {
  private static final Map<SqlOperator, SqlOperator> NULLABLE =
      Map.of(
          SqlStdOperatorTable.VAR_SAMP, variance(SqlStdOperatorTable.VAR_SAMP),
          SqlStdOperatorTable.VARIANCE, variance(SqlStdOperatorTable.VARIANCE),
          SqlStdOperatorTable.COVAR_SAMP,
              nullable(
                  SqlStdOperatorTable.COVAR_SAMP,
                  ReturnTypes.COVAR_REGR_FUNCTION,
                  OperandTypes.NUMERIC_NUMERIC));

  private final SqlOperatorTable operators;

  /** Those among some operators. */
  public SampleFunctions(SqlOperatorTable operators) {
    this.operators = operators;
  }

  private static SqlOperator variance(SqlAggFunction function) {
    return nullable(function, ReturnTypes.AVG_AGG_FUNCTION, OperandTypes.NUMERIC);
  }

  private static SqlOperator nullable(
      SqlAggFunction function, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return SqlBasicAggFunction.create(
        function.getName(),
        function.getKind(),
        type.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        operands);
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
    return operators.getOperatorList().stream().map(SampleFunctions::nullable).toList();
  }

  private static SqlOperator nullable(SqlOperator operator) {
    return NULLABLE.getOrDefault(operator, operator);
  }
}
