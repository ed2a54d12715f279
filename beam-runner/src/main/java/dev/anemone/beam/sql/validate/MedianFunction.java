// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlNodeList;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.OperandTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.ReturnTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlValidator;

/** {@code MEDIAN(x)}, which is {@code PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x)}. */
public final class MedianFunction extends SqlFunction {

  public static final MedianFunction INSTANCE = new MedianFunction();

  private MedianFunction() {
    super(
        "MEDIAN",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.DOUBLE_NULLABLE,
        null,
        OperandTypes.NUMERIC,
        SqlFunctionCategory.NUMERIC);
  }

  /** With another number of arguments it stays as it is, and is refused. */
  @Override
  public SqlNode rewriteCall(SqlValidator validator, SqlCall call) {
    if (call.operandCount() != 1) {
      return call;
    }
    SqlParserPos position = call.getParserPosition();
    return SqlStdOperatorTable.WITHIN_GROUP.createCall(
        position,
        NullableFunctions.nullable(SqlStdOperatorTable.PERCENTILE_CONT)
            .createCall(position, SqlLiteral.createExactNumeric("0.5", position)),
        SqlNodeList.of(call.operand(0)));
  }
}
