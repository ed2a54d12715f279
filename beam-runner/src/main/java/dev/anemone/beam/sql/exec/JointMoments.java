// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * What the correlation of two columns needs: their covariance, and the variance of each, over the
 * rows where neither is NULL; as exact as {@link Moments}. Not thread-safe.
 *
 * @param both moments of both columns
 * @param first moments of the first one with itself
 * @param second moments of the second one with itself
 */
record JointMoments(Moments both, Moments first, Moments second) {

  static JointMoments of(ColumnPair columns) {
    return new JointMoments(
        Moments.of(columns), Moments.of(columns.ofFirst()), Moments.of(columns.ofSecond()));
  }

  void add(Number value, Number other) {
    both.add(value, other);
    first.add(value, value);
    second.add(other, other);
  }

  void merge(JointMoments other) {
    both.merge(other.both);
    first.merge(other.first);
    second.merge(other.second);
  }

  void write(OutputStream out) throws IOException {
    both.write(out);
    first.write(out);
    second.write(out);
  }

  static JointMoments read(ColumnPair columns, InputStream in) throws IOException {
    return new JointMoments(
        Moments.read(columns, in),
        Moments.read(columns.ofFirst(), in),
        Moments.read(columns.ofSecond(), in));
  }

  /**
   * The coefficient, from -1 to 1; null where a column does not vary, NaN where one is not finite.
   */
  Double coefficient() {
    if (both.count() == 0) {
      return null;
    }
    if (!first.isFinite() || !second.isFinite()) {
      return Double.NaN;
    }
    BigDecimal variances = first.covariance(1).multiply(second.covariance(1));
    return variances.signum() == 0
        ? null
        : (Double)
            both.covariance(1)
                .divide(variances.sqrt(MathContext.DECIMAL128), MathContext.DECIMAL128)
                .doubleValue();
  }
}
