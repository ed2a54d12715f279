// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.rdma.pmem.PersistentMemory;

/**
 * How a persistent memory is divided: a page that says so, an entry of a cache line for each chunk,
 * and the chunks, each at a multiple of its size. All in bytes.
 *
 * @param chunkBytes a power of two
 * @param chunks how many there are
 */
record PageGeometry(int chunkBytes, int chunks) {

  /** The least that a chunk may have: what the page cache writes at once. */
  static final int MIN_CHUNK_BYTES = 4096;

  /** What a processor writes at once, and so what is never shared by things of different age. */
  static final int LINE_BYTES = 64;

  /** Where the entries begin. */
  static final int ENTRIES_OFFSET = 4096;

  /**
   * As many chunks as there is room for.
   *
   * @throws IllegalArgumentException when that is none, or a chunk cannot have this size
   */
  static PageGeometry of(long size, int chunkBytes) {
    if (chunkBytes < MIN_CHUNK_BYTES
        || Integer.bitCount(chunkBytes) != 1
        || chunkBytes > PersistentMemory.PIECE_BYTES) {
      throw new IllegalArgumentException(
          "chunks of "
              + chunkBytes
              + " bytes; their size is a power of two from "
              + MIN_CHUNK_BYTES
              + " to "
              + PersistentMemory.PIECE_BYTES);
    }
    long chunks = (size - ENTRIES_OFFSET) / (chunkBytes + LINE_BYTES);
    while (chunks > 0 && firstChunk(chunks, chunkBytes) + chunks * chunkBytes > size) {
      chunks--;
    }
    if (chunks < 1 || chunks > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          size
              + " bytes hold "
              + chunks
              + " chunks of "
              + chunkBytes
              + " bytes; 1 to 2^31 are right");
    }
    return new PageGeometry(chunkBytes, (int) chunks);
  }

  private static long firstChunk(long chunks, int chunkBytes) {
    long end = ENTRIES_OFFSET + chunks * LINE_BYTES;
    return (end + chunkBytes - 1) / chunkBytes * chunkBytes;
  }

  /** The first multiple of a cache line from an offset on. */
  static int nextLine(int offset) {
    return (offset + LINE_BYTES - 1) & -LINE_BYTES;
  }

  /** Where a chunk's entry begins. */
  long entryOffset(int chunk) {
    return ENTRIES_OFFSET + (long) chunk * LINE_BYTES;
  }

  /** Where a chunk begins. */
  long chunkOffset(int chunk) {
    return firstChunk(chunks, chunkBytes) + (long) chunk * chunkBytes;
  }
}
