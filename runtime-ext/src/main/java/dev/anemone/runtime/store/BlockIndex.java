// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.util.Objects;

/**
 * Where each partition of a block lies. Immutable.
 *
 * <p>Bytes of a partition are contiguous. Partitions with no bytes have a stored length of 0.
 */
public interface BlockIndex {

  int partitions();

  /** Offset in bytes of the first byte of a partition. */
  long offset(int partition);

  /** Bytes of a partition before compression and without chunk headers. */
  long rawLength(int partition);

  /** Bytes of a partition as they are stored. */
  long storedLength(int partition);

  /** Sum of {@link #storedLength} over all partitions. */
  long storedBytes();

  /**
   * How many bytes {@link BlockReader#read} has to read.
   *
   * @param room bytes that the target has room for
   * @throws IndexOutOfBoundsException when there is no such partition or position in it
   */
  default int readable(BlockId id, int partition, long position, int room) {
    Objects.checkIndex(partition, partitions());
    long length = storedLength(partition);
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
