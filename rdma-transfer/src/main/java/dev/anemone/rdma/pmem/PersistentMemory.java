// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pmem;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes that are written like memory and survive a crash of the machine once they are persisted.
 *
 * <p>The rules are those of persistent memory programming (SNIA's NVM programming model; PMDK's
 * libpmem follows them too). A store to a slice is visible to other threads at once but durable
 * only after {@link #persist}; before that, any of its cache lines may or may not have become
 * durable, in any order. The unit that is never torn is an aligned word of 8 bytes. So whoever
 * wants several stores to become durable together persists them first, and then {@linkplain #commit
 * commits} them by one word.
 *
 * <p>Thread-safe, as far as threads keep to different bytes. Offsets and lengths are in bytes.
 */
public interface PersistentMemory extends Closeable {

  /** No slice crosses an offset that is a multiple of this. */
  long PIECE_BYTES = 1L << 30;

  /** Bytes of the memory. */
  long size();

  /**
   * A view of a part. It shares its bytes with the memory and is used by the caller alone; its byte
   * order is big-endian. When the memory has been closed, another process may write to the bytes,
   * so what is read from a slice then means nothing, and nothing may be written to it.
   *
   * @throws IndexOutOfBoundsException when the part is not within the memory, or crosses a multiple
   *     of {@link #PIECE_BYTES}
   * @throws IllegalStateException when the memory is closed
   */
  ByteBuffer slice(long offset, int length);

  /**
   * Returns when all that the caller has written to a part is durable.
   *
   * @throws IndexOutOfBoundsException when the part is not within the memory
   * @throws IOException when it cannot be made durable, or the memory is closed; what is durable
   *     then is unknown
   */
  void persist(long offset, long length) throws IOException;

  /**
   * Writes a word and persists it. After a crash the word has its former value or this one, and
   * nothing else.
   *
   * @param offset a multiple of 8
   * @throws IndexOutOfBoundsException when the word is not within the memory or not aligned
   * @throws IOException as {@link #persist}; when the memory is closed, nothing was written
   */
  void commit(long offset, long word) throws IOException;

  /** Reads a word that was written by {@link #commit}; 0 where none was and the memory is new. */
  long word(long offset);

  /** Lets others open the memory. Unflushed stores may be lost. Closing again does nothing. */
  @Override
  void close() throws IOException;
}
