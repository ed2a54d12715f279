// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

/** In which order the partitions of a block are written. */
public enum WriteOrder {
  /** All of partition 0, then all of partition 1, and so on; partitions may be left out. */
  BY_PARTITION,
  /** Parts of partitions in any order; each partition is contiguous in the end all the same. */
  ANY
}
