// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Bytes of one task on local disk, for what does not fit into its memory: appended, and read at any
 * position. The file is made when the first bytes come. Belongs to the operator that asked for it,
 * which closes it. Thread-safe. A thread that is interrupted while it reads or writes leaves the
 * file unusable.
 */
public interface SpillFile extends Closeable {

  /**
   * Appends the bytes between a buffer's position and its limit.
   *
   * @return the position of the first of them
   * @throws IOException when they cannot be written; names the file
   */
  long append(ByteBuffer bytes) throws IOException;

  /**
   * Fills a buffer, from its position to its limit.
   *
   * @param position of the first byte, in the file
   * @throws IOException when there are not so many, or they cannot be read; names the file
   */
  void read(long position, ByteBuffer target) throws IOException;

  /** Forgets all bytes and gives their room on disk back; others may be appended, from 0 on. */
  void clear() throws IOException;

  /** Deletes the file. */
  @Override
  void close() throws IOException;
}
