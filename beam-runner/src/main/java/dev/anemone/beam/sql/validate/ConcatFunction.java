// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import java.util.List;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.OperandTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.ReturnTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlValidator;

/** {@code CONCAT(a, b, ...)}, which is {@code a || b || ...}: NULL if an argument is. */
public final class ConcatFunction extends SqlFunction {

  public static final ConcatFunction INSTANCE = new ConcatFunction();

  private ConcatFunction() {
    super(
        "CONCAT",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.VARCHAR_2000_NULLABLE,
        null,
        OperandTypes.repeat(SqlOperandCountRanges.from(2), OperandTypes.CHARACTER),
        SqlFunctionCategory.STRING);
  }

  /** With fewer than two arguments it stays as it is, and is refused. */
  @Override
  public SqlNode rewriteCall(SqlValidator validator, SqlCall call) {
    List<SqlNode> arguments = call.getOperandList();
    return arguments.size() < 2
        ? call
        : arguments.stream()
            .reduce(
                (left, right) ->
                    SqlStdOperatorTable.CONCAT.createCall(call.getParserPosition(), left, right))
            .orElseThrow();
  }
}
