// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunction;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlKind;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.OperandTypes;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.type.ReturnTypes;

/**
 * {@code $ONLY_ROW(value, rows)}: the value, if it comes from no more than one row. It says of
 * itself that it is not deterministic, so that no rule moves it to rows that nobody asks for.
 */
public final class OnlyRow extends SqlFunction {

  public static final OnlyRow INSTANCE = new OnlyRow();

  private OnlyRow() {
    super(
        "$ONLY_ROW",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        null,
        OperandTypes.ANY_ANY,
        SqlFunctionCategory.SYSTEM);
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }

  /**
   * Checks a number of rows, for generated code.
   *
   * @throws SeveralRowsException if there are several
   */
  public static void check(long rows) {
    if (rows > 1) {
      throw new SeveralRowsException();
    }
  }
}
