// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import dev.anemone.rdma.pmem.PersistentMemory;
import java.io.Closeable;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;

/**
 * A persistent memory that is divided into pages. Beside the pages, each has an entry of two words:
 * the <em>commit word</em>, which is 0 unless a header begins in the page and is committed, and the
 * <em>next</em> word of {@link HeaderChain}. Thread-safe, as far as threads keep to pages of their
 * own.
 */
final class PersistentPages implements Closeable {

  /** The first word of a memory that is divided into pages: "anemone" and the layout's version. */
  private static final long MAGIC = 0x61_6e_65_6d_6f_6e_65_01L;

  private static final long VERSION_MASK = 0xff;

  /** Words behind the magic: bytes of a page, number of pages. */
  private static final int[] GEOMETRY_OFFSETS = {8, 16};

  private final PersistentMemory memory;
  private final PageGeometry geometry;
  private volatile boolean closed;

  private PersistentPages(PersistentMemory memory, PageGeometry geometry) {
    this.memory = memory;
    this.geometry = geometry;
  }

  /**
   * Divides a memory that is new, or takes one that was divided so before.
   *
   * @throws IllegalArgumentException when it cannot be divided so
   * @throws IOException when it holds something else, or is divided in another way
   */
  static PersistentPages open(PersistentMemory memory, int pageBytes) throws IOException {
    PageGeometry geometry = PageGeometry.of(memory.size(), pageBytes);
    long[] expected = {geometry.pageBytes(), geometry.pages()};
    long magic = memory.word(0);
    if (magic == 0) {
      format(memory, geometry, expected);
    } else if ((magic | VERSION_MASK) != (MAGIC | VERSION_MASK)) {
      throw new IOException(
          "the persistent memory holds something else than blocks: its first word is 0x"
              + Long.toHexString(magic));
    } else if (magic != MAGIC) {
      throw new IOException(
          "the persistent memory was written by another version: its layout is "
              + (magic & VERSION_MASK)
              + ", this one reads "
              + (MAGIC & VERSION_MASK));
    } else if (!Arrays.equals(geometryWords(memory), expected)) {
      long[] found = geometryWords(memory);
      throw new IOException(
          "the persistent memory has "
              + found[1]
              + " pages of "
              + found[0]
              + " bytes, not "
              + expected[1]
              + " of "
              + expected[0]
              + "; open it as it was made, or delete it");
    }
    return new PersistentPages(memory, geometry);
  }

  /** The magic comes last; until then there is nothing, and a crash leaves a new memory. */
  private static void format(PersistentMemory memory, PageGeometry geometry, long[] words)
      throws IOException {
    for (int page = 0; page < geometry.pages(); page++) {
      if (memory.word(geometry.entryOffset(page)) != 0) {
        throw new IOException(
            "the persistent memory holds something else than blocks: it is not zero at byte "
                + geometry.entryOffset(page));
      }
    }
    for (int i = 0; i < words.length; i++) {
      memory.commit(GEOMETRY_OFFSETS[i], words[i]);
    }
    memory.commit(0, MAGIC);
  }

  private static long[] geometryWords(PersistentMemory memory) {
    return Arrays.stream(GEOMETRY_OFFSETS).mapToLong(memory::word).toArray();
  }

  PageGeometry geometry() {
    return geometry;
  }

  /** A page's bytes. */
  ByteBuffer page(int page) {
    return memory.slice(geometry.pageOffset(page), geometry.pageBytes());
  }

  /**
   * Persists full pages, those that follow each other at once.
   *
   * @param pages are put in order
   */
  void persistFull(int[] pages) throws IOException {
    Arrays.sort(pages);
    int from = 0;
    while (from < pages.length) {
      int to = from + 1;
      while (to < pages.length && pages[to] == pages[to - 1] + 1) {
        to++;
      }
      persist(pages[from], 0, (long) (to - from) * geometry.pageBytes());
      from = to;
    }
  }

  /** Persists bytes from an offset in a page. */
  void persist(int page, int offset, long length) throws IOException {
    memory.persist(geometry.pageOffset(page) + offset, length);
  }

  /** What {@link HeaderChain} keeps in a page's entry; 0 where it never kept anything. */
  long nextWord(int page) {
    return nextBytes(page).getLong(0);
  }

  /** Writes and persists it. */
  void putNext(int page, long word) throws IOException {
    nextBytes(page).putLong(0, word);
    memory.persist(nextOffset(page), Long.BYTES);
  }

  private ByteBuffer nextBytes(int page) {
    return memory.slice(nextOffset(page), Long.BYTES);
  }

  private long nextOffset(int page) {
    return geometry.entryOffset(page) + Long.BYTES;
  }

  /** Commits the header at a root. */
  void commit(int root, long word) throws IOException {
    memory.commit(geometry.entryOffset(root), word);
  }

  /** Makes that there is no header at a root. */
  void clear(int root) throws IOException {
    memory.commit(geometry.entryOffset(root), 0);
  }

  /** The word by which the header at a root was committed; 0 when there is none. */
  long commitWord(int root) {
    return memory.word(geometry.entryOffset(root));
  }

  /** What was read before is right if this returns: until then nobody else could write. */
  void requireOpen() throws ClosedChannelException {
    VarHandle.loadLoadFence();
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Makes {@link #requireOpen} fail from now on; what goes on already may end. */
  void beginClose() {
    closed = true;
  }

  @Override
  public void close() throws IOException {
    beginClose();
    memory.close();
  }
}
