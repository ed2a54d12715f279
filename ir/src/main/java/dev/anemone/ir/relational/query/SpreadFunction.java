// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import java.util.Locale;

/** How much numbers differ. Those of a sample are null of one row. */
public enum SpreadFunction {
  VAR_POP(1),
  VAR_SAMP(1),
  STDDEV_POP(1),
  STDDEV_SAMP(1),
  COVAR_POP(2),
  COVAR_SAMP(2),
  /** Pearson's coefficient; null where a column is the same in all rows. */
  CORR(2);

  private final int columns;

  SpreadFunction(int columns) {
    this.columns = columns;
  }

  /** How many columns it is of. */
  public int columns() {
    return columns;
  }

  /** The name in a query. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
