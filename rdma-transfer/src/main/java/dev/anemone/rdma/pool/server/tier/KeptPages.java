// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import dev.anemone.rdma.pmem.PersistentMemory;
import dev.anemone.rdma.pmem.PersistentMemoryFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The pages of a tier of persistent memory whose file has a name, and is found again. It is locked
 * while it is open. Thread-safe.
 */
public final class KeptPages implements AutoCloseable {

  private final int first;
  private final int count;
  private final int pageBytes;
  private final PersistentMemory memory;

  private KeptPages(int first, int count, int pageBytes, PersistentMemory memory) {
    this.first = first;
    this.count = count;
    this.pageBytes = pageBytes;
    this.memory = memory;
  }

  /**
   * Pages in a file, with what they held.
   *
   * @param first number of the first page
   * @throws IOException when there is no such directory, no room in it, when the file has another
   *     size, or another process has it open
   */
  static KeptPages open(Path file, int first, int count, int pageBytes) throws IOException {
    return new KeptPages(
        first, count, pageBytes, PersistentMemoryFile.open(file, (long) count * pageBytes));
  }

  /** All of it, in pieces of so many pages, none of which is larger than a region may be. */
  List<ByteBuffer> pieces(int pagesPerPiece) {
    List<ByteBuffer> pieces = new ArrayList<>();
    for (int page = 0; page < count; page += pagesPerPiece) {
      pieces.add(
          memory.slice((long) page * pageBytes, Math.min(pagesPerPiece, count - page) * pageBytes));
    }
    return pieces;
  }

  /** Whether a page is one of these. */
  public boolean has(int page) {
    return page >= first && page - first < count;
  }

  /** Returns when the first bytes of a page are durable. */
  public void persist(int page, int length) throws IOException {
    memory.persist(position(page), length);
  }

  /** CRC32C of the first bytes of a page. */
  public int checksum(int page, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(memory.slice(position(page), length));
    return (int) checksum.getValue();
  }

  private long position(int page) {
    return (long) (page - first) * pageBytes;
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
