// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.query.Relation;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What whoever made a query knows of how large the sides of its joins are.
 *
 * @param isSmall whether a side has so few rows that each task may have all of them; one of unknown
 *     size is not small
 * @param bytes of all rows of a side, estimated; empty where nobody knows
 */
public record SideSizes(Predicate<Relation> isSmall, Function<Relation, OptionalLong> bytes) {

  public SideSizes {
    Objects.requireNonNull(isSmall, "isSmall");
    Objects.requireNonNull(bytes, "bytes");
  }

  /** Sides of which is only known which are small. */
  public static SideSizes of(Predicate<Relation> isSmall) {
    return new SideSizes(isSmall, side -> OptionalLong.empty());
  }
}
