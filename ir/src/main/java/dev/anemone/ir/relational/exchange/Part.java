// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational.exchange;

import dev.anemone.ir.relational.query.Relation;

/**
 * Some rows of a relation, and how they lie. A fragment that grows.
 *
 * @param relation over a table, where they lie in splits, else over exchanges
 */
record Part(Relation relation, Distribution distribution) {

  boolean isSingle() {
    return distribution instanceof Distribution.Single;
  }

  /** Whether they lie in partitions. */
  boolean isPartitioned() {
    return distribution instanceof Distribution.Arbitrary
        || distribution instanceof Distribution.Hashed;
  }

  /** Whether they lie in the tasks that read splits. */
  boolean isWhereItIsRead() {
    return isInSplits() || distribution instanceof Distribution.Pieces;
  }

  boolean isInSplits() {
    return distribution instanceof Distribution.Splits;
  }
}
