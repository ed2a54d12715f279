// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.paged;

import java.util.Arrays;

/**
 * For each partition of a block in pages, the pieces of pages that hold it, in order. Pieces of all
 * partitions are in the same few arrays, linked by number, so that a block of many partitions does
 * not become as many objects. Used by one thread.
 */
public final class ExtentLists {

  private static final int NONE = -1;
  private static final int INITIAL_EXTENTS = 16;

  private final int[] first;
  private final int[] last;
  private int[] next = new int[INITIAL_EXTENTS];
  private int[] pages = new int[INITIAL_EXTENTS];
  private int[] offsets = new int[INITIAL_EXTENTS];
  private int[] lengths = new int[INITIAL_EXTENTS];
  private int count;

  ExtentLists(int partitions) {
    first = new int[partitions];
    last = new int[partitions];
    Arrays.fill(first, NONE);
    Arrays.fill(last, NONE);
  }

  /**
   * Adds a piece to the end of a partition.
   *
   * @param page number of the page in the block
   * @param offset first byte in the page
   * @param length bytes
   */
  public void add(int partition, int page, int offset, int length) {
    int tail = last[partition];
    if (tail != NONE && pages[tail] == page && offsets[tail] + lengths[tail] == offset) {
      lengths[tail] += length;
      return;
    }
    if (count == pages.length) {
      grow();
    }
    next[count] = NONE;
    pages[count] = page;
    offsets[count] = offset;
    lengths[count] = length;
    if (tail == NONE) {
      first[partition] = count;
    } else {
      next[tail] = count;
    }
    last[partition] = count;
    count++;
  }

  private void grow() {
    int size = count + (count >> 1);
    next = Arrays.copyOf(next, size);
    pages = Arrays.copyOf(pages, size);
    offsets = Arrays.copyOf(offsets, size);
    lengths = Arrays.copyOf(lengths, size);
  }

  /** The same, to be read by many threads. */
  ExtentTable freeze() {
    int[] partitionStarts = new int[first.length + 1];
    int[] frozenPages = new int[count];
    int[] frozenOffsets = new int[count];
    long[] ends = new long[count];
    int n = 0;
    for (int p = 0; p < first.length; p++) {
      partitionStarts[p] = n;
      long end = 0;
      for (int e = first[p]; e != NONE; e = next[e]) {
        end += lengths[e];
        frozenPages[n] = pages[e];
        frozenOffsets[n] = offsets[e];
        ends[n] = end;
        n++;
      }
    }
    partitionStarts[first.length] = n;
    return new ExtentTable(partitionStarts, frozenPages, frozenOffsets, ends);
  }
}
