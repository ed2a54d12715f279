// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.row;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;

/** An exact sum, and of how many numbers: their order does not matter. Not thread-safe. */
public sealed interface NumberSum permits ExactSum, BinarySum {

  /** Adds a number, which is one of the class's kind. */
  void add(Number value);

  /** Adds a product, all digits of it, as one number. */
  void addProduct(Number value, Number other);

  /** Adds what another sum of the same class has; that one stays as it is. */
  void merge(NumberSum other);

  long count();

  /** The sum; zero of nothing. */
  BigDecimal sum();

  void write(OutputStream out) throws IOException;
}
