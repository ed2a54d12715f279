// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

/**
 * A block's index as three numbers for each partition, or two where the partitions lie one behind
 * the other. Immutable.
 */
public final class BlockTable implements BlockIndex {

  private final PackedLongs offsets;
  private final PackedLongs rawLengths;

  /** Null where a partition ends as the next one begins. */
  private final PackedLongs storedLengths;

  private final long storedBytes;

  /** Takes the arrays over; all have one element for each partition. */
  public BlockTable(long[] offsets, long[] rawLengths, long[] storedLengths) {
    this.offsets = new PackedLongs(offsets);
    this.rawLengths = new PackedLongs(rawLengths);
    this.storedLengths = isPacked(offsets, storedLengths) ? null : new PackedLongs(storedLengths);
    long sum = 0;
    for (long length : storedLengths) {
      sum += length;
    }
    this.storedBytes = sum;
  }

  private static boolean isPacked(long[] offsets, long[] storedLengths) {
    long end = 0;
    for (int p = 0; p < offsets.length; p++) {
      if (offsets[p] != end) {
        return false;
      }
      end += storedLengths[p];
    }
    return true;
  }

  /** Bytes of heap that it takes, about. */
  public long heapBytes() {
    return offsets.bytes()
        + rawLengths.bytes()
        + (storedLengths == null ? 0 : storedLengths.bytes());
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
    return offsets.length();
  }

  @Override
  public long offset(int partition) {
    return offsets.get(partition);
  }

  @Override
  public long rawLength(int partition) {
    return rawLengths.get(partition);
  }

  @Override
  public long storedLength(int partition) {
    if (storedLengths != null) {
      return storedLengths.get(partition);
    }
    int next = partition + 1;
    return (next == offsets.length() ? storedBytes : offsets.get(next)) - offsets.get(partition);
  }

  @Override
  public long storedBytes() {
    return storedBytes;
  }
}
