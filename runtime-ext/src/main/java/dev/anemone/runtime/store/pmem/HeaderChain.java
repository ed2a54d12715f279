// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * A header in one or more pages. It begins somewhere in the first, its root, and fills the others
 * from their beginning. The next word of each says where it begins there, and in which page it goes
 * on. The word that commits it has its length, and the CRC32C of the header and the next words:
 * what was not wholly written is not taken for a header.
 */
final class HeaderChain {

  private static final int NO_PAGE = -1;

  private final ByteBuffer bytes;
  private final int[] pages;
  private final int offset;

  /**
   * Takes the arguments over.
   *
   * @param bytes of the header, from position 0 to the limit
   * @param pages the root, and then as many as it needs
   * @param offset of the header's first byte in the root
   */
  HeaderChain(ByteBuffer bytes, int[] pages, int offset) {
    this.bytes = bytes;
    this.pages = pages;
    this.offset = offset;
  }

  /** Pages that a header needs besides its root. */
  static int pagesBehindRoot(int length, int offset, int pageBytes) {
    int behind = Math.max(0, length - (pageBytes - offset));
    return (int) (((long) behind + pageBytes - 1) / pageBytes);
  }

  int root() {
    return pages[0];
  }

  IntStream pages() {
    return IntStream.of(pages);
  }

  /** The header, to be read once. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Writes the header and its next words, and persists them; it is not committed yet. */
  void write(PersistentPages memory) throws IOException {
    int pageBytes = memory.geometry().pageBytes();
    int at = 0;
    int start = offset;
    for (int i = 0; i < pages.length; i++) {
      int n = Math.min(bytes.limit() - at, pageBytes - start);
      memory.page(pages[i]).put(start, bytes, at, n);
      memory.persist(pages[i], start, n);
      memory.putNext(pages[i], nextWord(i));
      at += n;
      start = 0;
    }
  }

  /** The word that commits it. */
  long commitWord() {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().rewind());
    ByteBuffer words = ByteBuffer.allocate(pages.length * Long.BYTES);
    for (int i = 0; i < pages.length; i++) {
      words.putLong(nextWord(i));
    }
    crc.update(words.flip());
    return crc.getValue() << Integer.SIZE | bytes.limit();
  }

  private long nextWord(int i) {
    long start = i == 0 ? offset : 0;
    int next = i + 1 < pages.length ? pages[i + 1] : NO_PAGE;
    return start << Integer.SIZE | Integer.toUnsignedLong(next);
  }

  /** Reads the header that was committed at a root; null when it is not whole. */
  static HeaderChain read(PersistentPages memory, int root) {
    PageGeometry geometry = memory.geometry();
    long word = memory.commitWord(root);
    int length = (int) word;
    int offset = (int) (memory.nextWord(root) >>> Integer.SIZE);
    if (length <= 0 || offset < 0 || offset >= geometry.pageBytes()) {
      return null;
    }
    int[] pages = new int[1 + pagesBehindRoot(length, offset, geometry.pageBytes())];
    if (pages.length > geometry.pages()) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    int page = root;
    int start = offset;
    for (int i = 0; i < pages.length; i++) {
      if (page < 0 || page >= geometry.pages()) {
        return null;
      }
      int n = Math.min(bytes.remaining(), geometry.pageBytes() - start);
      bytes.put(memory.page(page).slice(start, n));
      pages[i] = page;
      page = (int) memory.nextWord(page);
      start = 0;
    }
    HeaderChain found = new HeaderChain(bytes.flip(), pages, offset);
    return found.commitWord() == word ? found : null;
  }
}
