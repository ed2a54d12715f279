// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.rdma.pmem.PersistentMemory;

/**
 * How a persistent memory is divided: a head that says so, an entry of a cache line for each page,
 * and the pages, each at a multiple of its size. All in bytes.
 *
 * @param pageBytes a power of two
 * @param pages how many there are
 */
record PageGeometry(int pageBytes, int pages) {

  /** The least that a page may have: what the page cache writes at once. */
  static final int MIN_PAGE_BYTES = 4096;

  /** What a processor writes at once, and so what is never shared by things of different age. */
  static final int LINE_BYTES = 64;

  /** Where the entries begin. */
  static final int ENTRIES_OFFSET = 4096;

  /**
   * As many pages as there is room for.
   *
   * @throws IllegalArgumentException when that is none, or a page cannot have this size
   */
  static PageGeometry of(long size, int pageBytes) {
    if (pageBytes < MIN_PAGE_BYTES
        || Integer.bitCount(pageBytes) != 1
        || pageBytes > PersistentMemory.PIECE_BYTES) {
      throw new IllegalArgumentException(
          "pages of "
              + pageBytes
              + " bytes; their size is a power of two from "
              + MIN_PAGE_BYTES
              + " to "
              + PersistentMemory.PIECE_BYTES);
    }
    long pages = (size - ENTRIES_OFFSET) / (pageBytes + LINE_BYTES);
    while (pages > 0 && firstPage(pages, pageBytes) + pages * pageBytes > size) {
      pages--;
    }
    if (pages < 1 || pages > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          size + " bytes hold " + pages + " pages of " + pageBytes + " bytes; 1 to 2^31 are right");
    }
    return new PageGeometry(pageBytes, (int) pages);
  }

  private static long firstPage(long pages, int pageBytes) {
    long end = ENTRIES_OFFSET + pages * LINE_BYTES;
    return (end + pageBytes - 1) / pageBytes * pageBytes;
  }

  /** The first multiple of a cache line from an offset on. */
  static int nextLine(int offset) {
    return (offset + LINE_BYTES - 1) & -LINE_BYTES;
  }

  /** Where a page's entry begins. */
  long entryOffset(int page) {
    return ENTRIES_OFFSET + (long) page * LINE_BYTES;
  }

  /** Where a page begins. */
  long pageOffset(int page) {
    return firstPage(pages, pageBytes) + (long) page * pageBytes;
  }
}
