// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.RowType;
import java.util.Objects;

/**
 * Rows that go from one or several fragments to another one.
 *
 * @param name of the input that they are to the fragment that reads them, which is one
 * @param row their columns
 * @param partitioning where they go
 */
public record Exchange(String name, RowType row, Partitioning partitioning) {

  public Exchange {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(row, "row");
    Objects.requireNonNull(partitioning, "partitioning");
  }
}
