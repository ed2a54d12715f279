// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** How the rows of a relation lie in tasks. */
sealed interface Distribution
    permits Distribution.Splits,
        Distribution.Pieces,
        Distribution.Arbitrary,
        Distribution.Hashed,
        Distribution.Single,
        Distribution.Replicated {

  /** As the files of a table do. */
  record Splits() implements Distribution {}

  /** Some at a time, in the tasks that read splits, or make the rows in another way. */
  record Pieces() implements Distribution {}

  /** Anyhow, in partitions. */
  record Arbitrary() implements Distribution {}

  /** All of them in each partition. */
  record Replicated() implements Distribution {}

  /** All in one task. */
  record Single() implements Distribution {}

  /**
   * In the partition that a hash says.
   *
   * @param keys what it is a hash of: of each, the columns that all have its value
   */
  record Hashed(List<Set<String>> keys) implements Distribution {

    public Hashed {
      keys = keys.stream().map(Set::copyOf).toList();
    }

    static Hashed by(Collection<String> columns) {
      return new Hashed(columns.stream().map(Set::of).toList());
    }

    /** Whether rows that are equal in these columns are in one partition. */
    boolean bringsTogether(Collection<String> columns) {
      return keys.stream().allMatch(key -> key.stream().anyMatch(columns::contains));
    }

    /** The same keys with the names that a function gives a column, none or several. */
    Optional<Hashed> renamed(Function<String, Collection<String>> names) {
      List<Set<String>> renamed = new ArrayList<>();
      for (Set<String> key : keys) {
        Set<String> now = new HashSet<>();
        key.forEach(column -> now.addAll(names.apply(column)));
        if (now.isEmpty()) {
          return Optional.empty();
        }
        renamed.add(now);
      }
      return Optional.of(new Hashed(renamed));
    }

    /** The same keys, which other columns have, too. */
    Hashed and(UnaryOperator<String> equal) {
      return renamed(
              column -> {
                String other = equal.apply(column);
                return other == null ? Set.of(column) : Set.of(column, other);
              })
          .orElseThrow();
    }
  }
}
