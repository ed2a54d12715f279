// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.stage.Transfer;

/**
 * Decides to which partition of a link a record goes. The decision depends on nothing but the
 * record's bytes: it is the same in every JVM and every attempt. Used by one thread.
 */
interface Partitioning {

  /** The partition of a record whose key begins with its channel's tag. */
  int partition(ByteSink key, ByteSink value);

  /**
   * The partitioning of a link.
   *
   * <p>Grouped records go by the hash of the key without its tag, so equal keys of different
   * channels and producers meet in one task. Records that are spread go by the hash of the value:
   * taking turns would be more even, but not repeatable, and when a producer task runs again and
   * reads its input in another order, records would change places, so that a consumer that had read
   * the first attempt's output would miss some and see others twice.
   */
  static Partitioning of(Transfer transfer, int partitions) {
    return switch (transfer) {
      case GROUPED -> (key, value) -> PartitionHash.of(key.array(), 1, key.length(), partitions);
      case SPREAD -> (key, value) -> PartitionHash.of(value.array(), 0, value.length(), partitions);
      case BROADCAST, ONE_TO_ONE -> (key, value) -> 0;
    };
  }
}
