// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.pmem;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * A header in one or more chunks. It begins somewhere in the first, its root, and fills the others
 * from their beginning. The link of each says where it begins there, and in which chunk it goes on.
 * The word that commits it has its length, and the CRC32C of the header and the links: what was not
 * wholly written is not taken for a header.
 */
final class HeaderChain {

  private static final int NO_CHUNK = -1;

  private final ByteBuffer bytes;
  private final int[] chunks;
  private final int offset;

  /**
   * Takes the arguments over.
   *
   * @param bytes of the header, from position 0 to the limit
   * @param chunks the root, and then as many as it needs
   * @param offset of the header's first byte in the root
   */
  HeaderChain(ByteBuffer bytes, int[] chunks, int offset) {
    this.bytes = bytes;
    this.chunks = chunks;
    this.offset = offset;
  }

  /** Chunks that a header needs besides its root. */
  static int chunksBehindRoot(int length, int offset, int chunkBytes) {
    int behind = Math.max(0, length - (chunkBytes - offset));
    return (int) (((long) behind + chunkBytes - 1) / chunkBytes);
  }

  int root() {
    return chunks[0];
  }

  IntStream chunks() {
    return IntStream.of(chunks);
  }

  /** The header, to be read once. */
  ByteBuffer bytes() {
    return bytes;
  }

  /** Writes the header and its links, and persists them; it is not committed yet. */
  void write(PersistentPages memory) throws IOException {
    int chunkBytes = memory.geometry().chunkBytes();
    int at = 0;
    int start = offset;
    for (int i = 0; i < chunks.length; i++) {
      int n = Math.min(bytes.limit() - at, chunkBytes - start);
      memory.chunk(chunks[i]).put(start, bytes, at, n);
      memory.persist(chunks[i], start, n);
      memory.putLink(chunks[i], link(i));
      at += n;
      start = 0;
    }
  }

  /** The word that commits it. */
  long commitWord() {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate().rewind());
    ByteBuffer links = ByteBuffer.allocate(chunks.length * Long.BYTES);
    for (int i = 0; i < chunks.length; i++) {
      links.putLong(link(i));
    }
    crc.update(links.flip());
    return crc.getValue() << Integer.SIZE | bytes.limit();
  }

  private long link(int i) {
    long start = i == 0 ? offset : 0;
    int next = i + 1 < chunks.length ? chunks[i + 1] : NO_CHUNK;
    return start << Integer.SIZE | Integer.toUnsignedLong(next);
  }

  /** Reads the header that was committed at a root; null when it is not whole. */
  static HeaderChain read(PersistentPages memory, int root) {
    PageGeometry geometry = memory.geometry();
    long word = memory.commitWord(root);
    int length = (int) word;
    int offset = (int) (memory.link(root) >>> Integer.SIZE);
    if (length <= 0 || offset < 0 || offset >= geometry.chunkBytes()) {
      return null;
    }
    int[] chunks = new int[1 + chunksBehindRoot(length, offset, geometry.chunkBytes())];
    if (chunks.length > geometry.chunks()) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    int chunk = root;
    int start = offset;
    for (int i = 0; i < chunks.length; i++) {
      if (chunk < 0 || chunk >= geometry.chunks()) {
        return null;
      }
      int n = Math.min(bytes.remaining(), geometry.chunkBytes() - start);
      bytes.put(memory.chunk(chunk).slice(start, n));
      chunks[i] = chunk;
      chunk = (int) memory.link(chunk);
      start = 0;
    }
    HeaderChain found = new HeaderChain(bytes.flip(), chunks, offset);
    return found.commitWord() == word ? found : null;
  }
}
