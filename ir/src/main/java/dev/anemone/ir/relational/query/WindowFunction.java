// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.query;

import dev.anemone.ir.relational.AggregateFunction;
import java.util.Locale;
import java.util.Optional;

/** What a row gets of the rows around it. */
public enum WindowFunction {
  /** How many rows come before it in its partition, and one. */
  ROW_NUMBER(null),
  /** How many rows of its partition come before its equals, and one. */
  RANK(null),
  /** How many different orders come before its own in its partition, and one. */
  DENSE_RANK(null),
  SUM(AggregateFunction.SUM),
  COUNT(AggregateFunction.COUNT),
  MIN(AggregateFunction.MIN),
  MAX(AggregateFunction.MAX);

  private final AggregateFunction aggregate;

  WindowFunction(AggregateFunction aggregate) {
    this.aggregate = aggregate;
  }

  /** The aggregate of the rows of a frame, empty for a place in the order. */
  public Optional<AggregateFunction> aggregate() {
    return Optional.ofNullable(aggregate);
  }

  /** The name in a query. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
