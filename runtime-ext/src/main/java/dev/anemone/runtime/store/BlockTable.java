// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.util.Objects;

/** A block's index as three numbers for each partition. Immutable. */
public final class BlockTable implements BlockIndex {

  private final long[] offsets;
  private final long[] rawLengths;
  private final long[] storedLengths;
  private final long storedBytes;

  /** Takes the arrays over; all have one element for each partition. */
  public BlockTable(long[] offsets, long[] rawLengths, long[] storedLengths) {
    this.offsets = offsets;
    this.rawLengths = rawLengths;
    this.storedLengths = storedLengths;
    long sum = 0;
    for (long length : storedLengths) {
      sum += length;
    }
    this.storedBytes = sum;
  }

  /**
   * The index of a block whose partitions lie one behind the other; takes the arrays over. An empty
   * partition begins where the next one does.
   */
  public static BlockTable packed(long[] rawLengths, long[] storedLengths) {
    long[] offsets = new long[storedLengths.length];
    long end = 0;
    for (int p = 0; p < offsets.length; p++) {
      offsets[p] = end;
      end += storedLengths[p];
    }
    return new BlockTable(offsets, rawLengths, storedLengths);
  }

  @Override
  public int partitions() {
    return offsets.length;
  }

  @Override
  public long offset(int partition) {
    return offsets[partition];
  }

  @Override
  public long rawLength(int partition) {
    return rawLengths[partition];
  }

  @Override
  public long storedLength(int partition) {
    return storedLengths[partition];
  }

  @Override
  public long storedBytes() {
    return storedBytes;
  }

  /**
   * How many bytes {@link BlockReader#read} has to read.
   *
   * @param room bytes that the target has room for
   * @throws IndexOutOfBoundsException when there is no such partition or position in it
   */
  public int readable(BlockId id, int partition, long position, int room) {
    Objects.checkIndex(partition, offsets.length);
    long length = storedLengths[partition];
    if (position < 0 || position > length) {
      throw new IndexOutOfBoundsException(
          "position "
              + position
              + " in partition "
              + partition
              + " of block "
              + id
              + ", which has "
              + length
              + " bytes");
    }
    return (int) Math.min(room, length - position);
  }
}
