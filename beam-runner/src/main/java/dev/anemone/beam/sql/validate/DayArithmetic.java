// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.avatica.util.TimeUnit;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlCallBinding;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlValidator;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/**
 * A whole number that is added to a date, or subtracted from it, is one of days: {@code d + 5} is
 * {@code d + INTERVAL 5 DAY}, as in PostgreSQL and Oracle.
 */
public final class DayArithmetic extends TypeCoercionImpl {

  /** The coercion of a validator. */
  public DayArithmetic(RelDataTypeFactory types, SqlValidator validator) {
    super(types, validator);
  }

  @Override
  public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
    if (binding.getOperandCount() == 2) {
      boolean adds = binding.getOperator().getKind() == SqlKind.PLUS;
      boolean subtracts = binding.getOperator().getKind() == SqlKind.MINUS;
      RelDataType left = binding.getOperandType(0);
      RelDataType right = binding.getOperandType(1);
      if ((adds || subtracts) && isDate(left) && isWhole(right)) {
        return toDays(binding, 1);
      }
      if (adds && isWhole(left) && isDate(right)) {
        return toDays(binding, 0);
      }
    }
    return super.binaryArithmeticCoercion(binding);
  }

  private static boolean isDate(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DATE;
  }

  private static boolean isWhole(RelDataType type) {
    return SqlTypeName.INT_TYPES.contains(type.getSqlTypeName());
  }

  private boolean toDays(SqlCallBinding binding, int operand) {
    SqlCall call = binding.getCall();
    SqlNode number = call.operand(operand);
    SqlNode days =
        SqlStdOperatorTable.INTERVAL.createCall(
            number.getParserPosition(),
            number,
            new SqlIntervalQualifier(TimeUnit.DAY, null, SqlParserPos.ZERO));
    call.setOperand(operand, days);
    validator.deriveType(binding.getScope(), days);
    return true;
  }
}
