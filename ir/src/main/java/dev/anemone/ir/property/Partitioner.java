// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** How a shuffle assigns records to partitions. */
public sealed interface Partitioner extends EdgeProperty {

  @Override
  default Class<? extends Property> type() {
    return Partitioner.class;
  }

  /**
   * By the hash of the encoded key, into {@code keyRangeMultiplier} times as many ranges as the
   * consumer has tasks; {@link PartitionSet} says which task reads which ranges.
   *
   * @param keyRangeMultiplier at least 1
   */
  record Hash(int keyRangeMultiplier) implements Partitioner {
    public Hash {
      if (keyRangeMultiplier < 1) {
        throw new IllegalArgumentException(
            "key range multiplier must be at least 1, was " + keyRangeMultiplier);
      }
    }
  }

  /**
   * By the hash of the encoded record, for shuffles that only spread the load. Every attempt of a
   * task divides its records alike, whatever the order in which it read its input.
   */
  record Spread() implements Partitioner {}

  /**
   * In turn, for shuffles that only spread the load: equal records go to different tasks, too. Only
   * for records that every attempt of a task makes in the same order.
   */
  record RoundRobin() implements Partitioner {}
}
