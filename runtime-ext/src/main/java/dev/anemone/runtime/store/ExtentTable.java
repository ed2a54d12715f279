package dev.anemone.runtime.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.IntFunction;

/** Where the bytes of each partition of a block in pages lie. Immutable. */
final class ExtentTable {

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

  private int extentAt(int partition, long position) {
    int found =
        Arrays.binarySearch(
            ends, partitionStarts[partition], partitionStarts[partition + 1], position + 1);
    return found >= 0 ? found : -found - 1;
  }
}
