// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.math.RoundingMode;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelDataTypeSystem;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.DelegatingTypeSystem;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeName;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Beam SQL's types, but for decimals and averages. A decimal field of a Beam schema has neither
 * precision nor scale: its values are {@link java.math.BigDecimal}s of any. Beam SQL declares it a
 * {@code DECIMAL(38, 0)}, so that every cast that the planner puts in, such as that of a {@code
 * CASE} whose other branch is {@code NULL}, cuts off the fraction. Here a decimal that nobody
 * declared is a {@code DECIMAL(76, 38)}, and what is computed of such is one, too: casts between
 * them lose nothing. Sums and products of constants, and of what is cast to fewer digits, have as
 * many as their values.
 */
final class AnemoneTypeSystem extends DelegatingTypeSystem {

  static final AnemoneTypeSystem INSTANCE = new AnemoneTypeSystem();

  private static final int PRECISION = 76;
  private static final int SCALE = 38;

  private AnemoneTypeSystem() {
    super(BeamRelDataTypeSystem.INSTANCE);
  }

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? PRECISION : super.getMaxPrecision(typeName);
  }

  @Override
  public int getMaxNumericPrecision() {
    return PRECISION;
  }

  @Override
  public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? SCALE : super.getMaxScale(typeName);
  }

  @Override
  public int getMaxNumericScale() {
    return SCALE;
  }

  @Override
  public int getDefaultPrecision(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? PRECISION : super.getDefaultPrecision(typeName);
  }

  @Override
  public int getDefaultScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? SCALE : super.getDefaultScale(typeName);
  }

  @Override
  public RoundingMode roundingMode() {
    return RoundingMode.HALF_UP;
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
    return SqlTypeUtil.isDecimal(argument)
        ? factory.createTypeWithNullability(
            factory.createSqlType(SqlTypeName.DECIMAL), argument.isNullable())
        : super.deriveSumType(factory, argument);
  }

  /** An average of whole numbers has a fraction, as it has in DuckDB and in Spark. */
  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
    return SqlTypeName.INT_TYPES.contains(argument.getSqlTypeName())
        ? factory.createTypeWithNullability(
            factory.createSqlType(SqlTypeName.DOUBLE), argument.isNullable())
        : deriveSumType(factory, argument);
  }

  /** As {@link #deriveAvgAggType}, of what both arguments can be cast to. */
  @Override
  public RelDataType deriveCovarType(
      RelDataTypeFactory factory, RelDataType first, RelDataType second) {
    return deriveAvgAggType(factory, factory.leastRestrictive(List.of(first, second)));
  }

  @Override
  public RelDataType deriveDecimalPlusType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    int scale = Math.max(left.getScale(), right.getScale());
    int whole =
        Math.max(left.getPrecision() - left.getScale(), right.getPrecision() - right.getScale());
    return ofDecimals(factory, left, right, whole + 1 + scale, scale);
  }

  @Override
  public RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return ofDecimals(
        factory,
        left,
        right,
        left.getPrecision() + right.getPrecision(),
        left.getScale() + right.getScale());
  }

  @Override
  public RelDataType deriveDecimalDivideType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    return ofDecimals(factory, left, right, PRECISION, SCALE);
  }

  /**
   * The type with these digits if they are few, so that any two such types have a third one for the
   * values of both; else that of all decimals. Null, as Calcite wants it, where the operands are
   * something else.
   */
  private static RelDataType ofDecimals(
      RelDataTypeFactory factory, RelDataType left, RelDataType right, int precision, int scale) {
    boolean exact = SqlTypeUtil.isExactNumeric(left) && SqlTypeUtil.isExactNumeric(right);
    if (!exact || !(SqlTypeUtil.isDecimal(left) || SqlTypeUtil.isDecimal(right))) {
      return null;
    }
    return precision <= PRECISION - SCALE
        ? factory.createSqlType(SqlTypeName.DECIMAL, precision, scale)
        : factory.createSqlType(SqlTypeName.DECIMAL);
  }
}
