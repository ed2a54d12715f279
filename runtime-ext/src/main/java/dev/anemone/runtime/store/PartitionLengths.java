// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

/** Counts what is appended to a block, and checks that it may be. Used by one thread. */
public final class PartitionLengths {

  private final BlockId id;
  private final WriteOrder order;
  private final long[] raw;
  private final long[] stored;
  private int last;

  /**
   * Nothing yet.
   *
   * @throws IllegalArgumentException when there are no partitions
   */
  public PartitionLengths(BlockId id, int partitions, WriteOrder order) {
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "block " + id + " with " + partitions + " partitions; a block has at least one");
    }
    this.id = id;
    this.order = order;
    this.raw = new long[partitions];
    this.stored = new long[partitions];
  }

  /**
   * Counts bytes that are about to be appended.
   *
   * @throws IllegalArgumentException when there is no such partition, or a length is negative
   * @throws IllegalStateException when the partition comes too late
   */
  public void add(int partition, long storedBytes, long rawBytes) {
    if (partition < 0 || partition >= raw.length) {
      throw new IllegalArgumentException(
          "partition " + partition + " of block " + id + ", which has " + raw.length);
    }
    if (rawBytes < 0) {
      throw new IllegalArgumentException(
          rawBytes + " raw bytes for partition " + partition + " of block " + id);
    }
    if (order == WriteOrder.BY_PARTITION) {
      if (partition < last) {
        throw new IllegalStateException(
            "partition "
                + partition
                + " of block "
                + id
                + " after partition "
                + last
                + "; a block that is written by partition takes them in ascending order");
      }
      last = partition;
    }
    raw[partition] += rawBytes;
    stored[partition] += storedBytes;
  }

  public int partitions() {
    return raw.length;
  }

  public long raw(int partition) {
    return raw[partition];
  }

  public long stored(int partition) {
    return stored[partition];
  }

  /**
   * The index of a block whose partitions lie one behind the other. An empty one begins where the
   * next one does: Tez's shuffle handler sends a range of partitions as one piece of the file, from
   * the beginning of the first to the end of the last, and either may be empty.
   */
  public BlockTable packed() {
    return BlockTable.packed(raw.clone(), stored.clone());
  }

  /** The index of a block whose partitions lie at these offsets, which are taken over. */
  public BlockTable at(long[] offsets) {
    return new BlockTable(offsets, raw.clone(), stored.clone());
  }
}
