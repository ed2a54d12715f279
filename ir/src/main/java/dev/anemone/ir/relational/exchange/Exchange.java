// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.RowType;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Rows that go from one or several fragments to another one.
 *
 * @param name of the input that they are to the fragment that reads them, which is one
 * @param row their columns
 * @param partitioning where they go
 * @param bytes of all of them together, as whoever made the query estimates it; empty where nobody
 *     has
 */
public record Exchange(String name, RowType row, Partitioning partitioning, OptionalLong bytes) {

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException when it is negative
   */
  public Exchange {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(partitioning, "partitioning");
    if (bytes.orElse(0) < 0) {
      throw new IllegalArgumentException(
          "the rows of " + name + " have " + bytes.getAsLong() + " bytes, which is less than none");
    }
  }

  /** One of rows of which nobody has estimated the size. */
  public Exchange(String name, RowType row, Partitioning partitioning) {
    this(name, row, partitioning, OptionalLong.empty());
  }

  /** The same rows going elsewhere. */
  public Exchange with(Partitioning other) {
    return new Exchange(name, row, other, bytes);
  }
}
