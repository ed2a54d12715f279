// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import org.apache.beam.sdk.values.Row;

/**
 * What the expressions of a Calc do with a row. {@link CalcTranslator} writes the subclasses, which
 * is why it is public. Immutable and thread-safe.
 */
public abstract class RowFunction {

  /**
   * The values that come out of a row, in the order of the columns.
   *
   * @return a new array, or null if the row does not meet the condition
   * @throws ArithmeticException if a value is out of range, or a divisor is zero
   */
  public abstract Object[] apply(Row row);
}
