// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.SimpleType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;

/** Which types of the planner belong to which of plans. */
public final class SqlRows {

  private SqlRows() {}

  /** The type of a column of the planner, null for decimals. */
  public static SimpleType simple(RelDataType type) throws UnsupportedExpressionException {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> SimpleType.BOOLEAN;
      case INTEGER -> SimpleType.INT32;
      case BIGINT -> SimpleType.INT64;
      case DOUBLE -> SimpleType.DOUBLE;
      case DATE -> SimpleType.DATE;
      case TIMESTAMP -> SimpleType.TIMESTAMP;
      case CHAR, VARCHAR -> SimpleType.STRING;
      case DECIMAL -> null;
      default -> throw new UnsupportedExpressionException("values of type " + type);
    };
  }

  /** Whether values of a type are those of a column of the planner. */
  static boolean holds(RelDataType sqlType, DataType type) throws UnsupportedExpressionException {
    SimpleType simple = simple(sqlType);
    return simple == null ? type instanceof DecimalType : simple == type;
  }

  /**
   * The type of decimals that holds the values of two, or as many digits before the point as there
   * are beside those behind it.
   */
  public static DecimalType wider(DecimalType one, DecimalType other) {
    int scale = Math.max(one.scale(), other.scale());
    int digits = Math.max(one.integerDigits(), other.integerDigits());
    return new DecimalType(Math.min(DecimalType.MAX_PRECISION, digits + scale), scale);
  }

  /** The planner's name of a type. */
  static SqlTypeName nameOf(DataType type) {
    if (type instanceof DecimalType) {
      return SqlTypeName.DECIMAL;
    }
    return switch ((SimpleType) type) {
      case BOOLEAN -> SqlTypeName.BOOLEAN;
      case INT32 -> SqlTypeName.INTEGER;
      case INT64 -> SqlTypeName.BIGINT;
      case DOUBLE -> SqlTypeName.DOUBLE;
      case DATE -> SqlTypeName.DATE;
      case TIMESTAMP -> SqlTypeName.TIMESTAMP;
      case STRING -> SqlTypeName.VARCHAR;
    };
  }

  static boolean isTime(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.DATE
        || type.getSqlTypeName() == SqlTypeName.TIMESTAMP;
  }

  /** A decimal as one that was declared; one without declared digits keeps what it has. */
  static TypedExpression fitted(TypedExpression decimal, RelDataType to, RelDataTypeFactory types) {
    RelDataType unlimited = types.createSqlType(SqlTypeName.DECIMAL);
    if (to.getPrecision() == unlimited.getPrecision() && to.getScale() == unlimited.getScale()) {
      return decimal;
    }
    return decimal.cast(new DecimalType(to.getPrecision(), to.getScale()));
  }

  /** Whether a cast leaves a text as it is. */
  static boolean keepsText(RelDataType from, RelDataType to) {
    if (!SqlTypeName.CHAR_TYPES.contains(from.getSqlTypeName())) {
      return false;
    }
    boolean unlimited = to.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED;
    boolean fits =
        from.getPrecision() != RelDataType.PRECISION_NOT_SPECIFIED
            && from.getPrecision() <= to.getPrecision();
    boolean same =
        to.getSqlTypeName() == from.getSqlTypeName() && to.getPrecision() == from.getPrecision();
    return same || (to.getSqlTypeName() == SqlTypeName.VARCHAR && (unlimited || fits));
  }
}
