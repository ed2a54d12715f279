// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.validate;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.OperandTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.ReturnTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.SqlTypeTransforms;

/**
 * {@code CORR(y, x)}, Pearson's coefficient of the rows where neither is NULL; NULL where one of
 * them is the same in all rows.
 */
public final class CorrelationFunction {

  public static final SqlAggFunction INSTANCE =
      SqlBasicAggFunction.create(
          "CORR",
          SqlKind.OTHER_FUNCTION,
          ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
          OperandTypes.NUMERIC_NUMERIC);

  private CorrelationFunction() {}
}
