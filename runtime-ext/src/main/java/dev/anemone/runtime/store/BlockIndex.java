// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

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
}
