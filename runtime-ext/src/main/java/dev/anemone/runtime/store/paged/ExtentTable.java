// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;

/** Where the bytes of each partition of a block in pages lie. Immutable. */
public final class ExtentTable {

  private final int[] partitionStarts;
  private final int[] pages;
  private final int[] offsets;
  private final long[] ends;

  /**
   * Takes the arrays over.
   *
   * @param partitionStarts number of each partition's first extent, and behind it that of all
   * @param pages number of an extent's page
   * @param offsets of an extent's first byte in its page
   * @param ends offset in its partition of the byte behind an extent
   */
  ExtentTable(int[] partitionStarts, int[] pages, int[] offsets, long[] ends) {
    this.partitionStarts = partitionStarts;
    this.pages = pages;
    this.offsets = offsets;
    this.ends = ends;
  }

  /**
   * Copies bytes of a partition out of its pages; the partition must have them.
   *
   * @param from gives a page by its number in the block
   * @param position of the first byte in the partition
   * @param length bytes to copy, for which the target has room
   */
  void copy(
      IntFunction<ByteBuffer> from, int partition, long position, int length, ByteBuffer target) {
    int first = partitionStarts[partition];
    int extent = extentAt(partition, position);
    long at = position;
    long end = position + length;
    while (at < end) {
      long extentStart = extent == first ? 0 : ends[extent - 1];
      int n = (int) (Math.min(end, ends[extent]) - at);
      ByteBuffer page = from.apply(pages[extent]);
      target.put(target.position(), page, offsets[extent] + (int) (at - extentStart), n);
      target.position(target.position() + n);
      at += n;
      extent++;
    }
  }

  /** Number of pieces of a partition. */
  int pieces(int partition) {
    return partitionStarts[partition + 1] - partitionStarts[partition];
  }

  /** A view of a piece of a partition, from position to limit. */
  ByteBuffer piece(IntFunction<ByteBuffer> from, int partition, int piece) {
    int extent = partitionStarts[partition] + piece;
    int length = (int) (ends[extent] - (piece == 0 ? 0 : ends[extent - 1]));
    return from.apply(pages[extent]).slice(offsets[extent], length);
  }

  /** Bytes that {@link #encode} writes. */
  public int encodedBytes() {
    return Integer.BYTES * partitionStarts.length + (2 * Integer.BYTES + Long.BYTES) * pages.length;
  }

  /** Writes the table so that {@link #decode} reads it. */
  public void encode(ByteBuffer to) {
    for (int start : partitionStarts) {
      to.putInt(start);
    }
    for (int i = 0; i < pages.length; i++) {
      to.putInt(pages[i]).putInt(offsets[i]).putLong(ends[i]);
    }
  }

  /** Reads the table of a block with so many partitions. */
  public static ExtentTable decode(ByteBuffer from, int partitions) {
    int[] starts = new int[partitions + 1];
    for (int p = 0; p < starts.length; p++) {
      starts[p] = from.getInt();
    }
    int extents = starts[partitions];
    int[] pages = new int[extents];
    int[] offsets = new int[extents];
    long[] ends = new long[extents];
    for (int i = 0; i < extents; i++) {
      pages[i] = from.getInt();
      offsets[i] = from.getInt();
      ends[i] = from.getLong();
    }
    return new ExtentTable(starts, pages, offsets, ends);
  }

  private int extentAt(int partition, long position) {
    int found =
        Arrays.binarySearch(
            ends, partitionStarts[partition], partitionStarts[partition + 1], position + 1);
    return found >= 0 ? found : -found - 1;
  }
}
