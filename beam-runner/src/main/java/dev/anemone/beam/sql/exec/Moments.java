// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.row.BinarySum;
import dev.anemone.beam.sql.row.NumberSum;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a variance, a covariance or a correlation needs: the sums of two columns, of their products,
 * and, where the columns say so, of the squares of both, over the rows where neither is NULL. The
 * sums are exact, so what is computed of them neither depends on the order of rows nor loses digits
 * where numbers differ little. Not thread-safe.
 */
final class Moments {
  /** As many digits as a quotient has. */
  private static final MathContext DIGITS = MathContext.DECIMAL128;

  private final ColumnPair columns;
  private final NumberSum first;

  /** The same as the first one if both columns are one. */
  private final NumberSum second;

  private final NumberSum products;

  /** Of both columns; none where they are not wanted. */
  private final List<NumberSum> squares;

  private Moments(
      ColumnPair columns,
      NumberSum first,
      NumberSum second,
      NumberSum products,
      List<NumberSum> squares) {
    this.columns = columns;
    this.first = first;
    this.second = second;
    this.products = products;
    this.squares = squares;
  }

  static Moments of(ColumnPair columns) {
    NumberSum first = columns.emptySum();
    return new Moments(
        columns,
        first,
        columns.isOneColumn() ? first : columns.emptySum(),
        columns.emptySum(),
        Stream.generate(columns::emptySum).limit(columns.squares() ? 2 : 0).toList());
  }

  void add(Number value, Number other) {
    first.add(value);
    if (!columns.isOneColumn()) {
      second.add(other);
    }
    products.addProduct(value, other);
    if (columns.squares()) {
      squares.get(0).addProduct(value, value);
      squares.get(1).addProduct(other, other);
    }
  }

  void merge(Moments other) {
    first.merge(other.first);
    if (!columns.isOneColumn()) {
      second.merge(other.second);
    }
    products.merge(other.products);
    for (int i = 0; i < squares.size(); i++) {
      squares.get(i).merge(other.squares.get(i));
    }
  }

  void write(OutputStream out) throws IOException {
    first.write(out);
    if (!columns.isOneColumn()) {
      second.write(out);
    }
    products.write(out);
    for (NumberSum square : squares) {
      square.write(out);
    }
  }

  static Moments read(ColumnPair columns, InputStream in) throws IOException {
    NumberSum first = columns.readSum(in);
    NumberSum second = columns.isOneColumn() ? first : columns.readSum(in);
    NumberSum products = columns.readSum(in);
    List<NumberSum> squares =
        columns.squares() ? List.of(columns.readSum(in), columns.readSum(in)) : List.of();
    return new Moments(columns, first, second, products, squares);
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
    return differences(first, second, products)
        .divide(BigDecimal.valueOf(count()).multiply(BigDecimal.valueOf(divisor)), DIGITS);
  }

  /** Pearson's coefficient, from -1 to 1; null where a column is the same in all rows. */
  Double correlation() {
    BigDecimal variances =
        differences(first, first, squares.get(0))
            .multiply(differences(second, second, squares.get(1)));
    return variances.signum() == 0
        ? null
        : (Double)
            differences(first, second, products)
                .divide(variances.sqrt(DIGITS), DIGITS)
                .doubleValue();
  }

  /** The sum of the products of the differences from both averages, times the number of rows. */
  private BigDecimal differences(NumberSum one, NumberSum other, NumberSum ofProducts) {
    return BigDecimal.valueOf(count())
        .multiply(ofProducts.sum())
        .subtract(one.sum().multiply(other.sum()));
  }
}
