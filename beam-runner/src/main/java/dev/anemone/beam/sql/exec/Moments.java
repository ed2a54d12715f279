// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.row.BinarySum;
import dev.anemone.beam.sql.row.NumberSum;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * What a variance or a covariance needs: the sums of two columns, and of their products, over the
 * rows where neither is NULL. The sums are exact, so what is computed of them neither depends on
 * the order of rows nor loses digits where numbers differ little. Not thread-safe.
 */
final class Moments {
  /** As many digits as a quotient has. */
  private static final MathContext DIGITS = MathContext.DECIMAL128;

  private final ColumnPair columns;
  private final NumberSum first;

  /** The same as the first one if both columns are one. */
  private final NumberSum second;

  private final NumberSum products;

  private Moments(ColumnPair columns, NumberSum first, NumberSum second, NumberSum products) {
    this.columns = columns;
    this.first = first;
    this.second = second;
    this.products = products;
  }

  static Moments of(ColumnPair columns) {
    NumberSum first = columns.emptySum();
    return new Moments(
        columns, first, columns.isOneColumn() ? first : columns.emptySum(), columns.emptySum());
  }

  void add(Number value, Number other) {
    first.add(value);
    if (!columns.isOneColumn()) {
      second.add(other);
    }
    products.addProduct(value, other);
  }

  void merge(Moments other) {
    first.merge(other.first);
    if (!columns.isOneColumn()) {
      second.merge(other.second);
    }
    products.merge(other.products);
  }

  void write(OutputStream out) throws IOException {
    first.write(out);
    if (!columns.isOneColumn()) {
      second.write(out);
    }
    products.write(out);
  }

  static Moments read(ColumnPair columns, InputStream in) throws IOException {
    NumberSum first = columns.readSum(in);
    NumberSum second = columns.isOneColumn() ? first : columns.readSum(in);
    return new Moments(columns, first, second, columns.readSum(in));
  }

  /** The number of rows. */
  long count() {
    return products.count();
  }

  /** Whether all numbers are finite, and so is what is computed of them. */
  boolean isFinite() {
    return !(products instanceof BinarySum sum) || sum.isFinite();
  }

  /**
   * The sum of the products of the differences from both averages, by a divisor; of 34 digits.
   *
   * @param divisor more than 0
   */
  BigDecimal covariance(long divisor) {
    BigDecimal count = BigDecimal.valueOf(count());
    return count
        .multiply(products.sum())
        .subtract(first.sum().multiply(second.sum()))
        .divide(count.multiply(BigDecimal.valueOf(divisor)), DIGITS);
  }
}
