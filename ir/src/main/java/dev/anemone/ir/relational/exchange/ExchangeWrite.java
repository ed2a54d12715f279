// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import java.util.Objects;

/**
 * Sends all rows of batches over an exchange.
 *
 * @param exchange with the rows' columns
 * @param partitions how many it has, at least 1
 */
public record ExchangeWrite(Exchange exchange, int partitions) {

  public ExchangeWrite {
    Objects.requireNonNull(exchange, "exchange");
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "an exchange has a partition at least, " + exchange.name() + " has " + partitions);
    }
  }

  /** The same rows going elsewhere, where they are not divided. */
  public ExchangeWrite undivided(Partitioning partitioning) {
    return new ExchangeWrite(exchange.with(partitioning), 1);
  }

  /** What it does, in one line, for people. */
  public String text() {
    return exchange.name() + " = " + exchange.partitioning().text();
  }
}
