// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.row.BinarySum;
import dev.anemone.beam.sql.row.ExactSum;
import dev.anemone.beam.sql.row.NumberSum;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;

/**
 * The columns of numbers of which a variance is computed, a covariance, or a correlation.
 *
 * @param first index of a column
 * @param second index of another column, or of the same one
 * @param floating whether a column has floating-point numbers: then both are taken as such
 * @param squares whether the squares of both are added up, too, as a correlation needs them
 */
record ColumnPair(int first, int second, boolean floating, boolean squares)
    implements Serializable {

  /** The columns of a variance or of a covariance. */
  ColumnPair(int first, int second, boolean floating) {
    this(first, second, floating, false);
  }

  boolean isOneColumn() {
    return first == second;
  }

  NumberSum emptySum() {
    return floating ? new BinarySum() : new ExactSum();
  }

  /** Reads what {@link NumberSum#write} wrote of such a sum. */
  NumberSum readSum(InputStream in) throws IOException {
    return floating ? BinarySum.read(in) : ExactSum.read(in);
  }
}
