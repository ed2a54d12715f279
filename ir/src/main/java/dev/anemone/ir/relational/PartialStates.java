// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

/** The columns of a partial aggregate that stand for an average. */
public final class PartialStates {

  private PartialStates() {}

  /** The name of the column with the sum of an average's values. */
  public static String sumOf(String average) {
    return average + "$sum";
  }

  /** The name of the column with the number of an average's values. */
  public static String countOf(String average) {
    return average + "$count";
  }

  /**
   * The type of the sum of an average's values: wide enough for any number of whole numbers, so
   * that a mean is found where a sum would not fit into an int64.
   */
  public static DataType meanSumType(DataType argument) {
    if (argument == SimpleType.DOUBLE) {
      return SimpleType.DOUBLE;
    }
    int scale = argument instanceof DecimalType decimal ? decimal.scale() : 0;
    return new DecimalType(DecimalType.MAX_PRECISION, scale);
  }

  /** The type of the mean, from the type of the sum. */
  public static DataType meanType(DataType sum) {
    return sum instanceof DecimalType decimal
        ? new DecimalType(
            DecimalType.MAX_PRECISION, Math.max(decimal.scale(), AggregateFunction.MEAN_SCALE))
        : SimpleType.DOUBLE;
  }
}
