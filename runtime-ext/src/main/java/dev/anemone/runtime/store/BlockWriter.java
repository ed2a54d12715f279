// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes one block. Used by one thread. */
public interface BlockWriter extends Closeable {

  /**
   * Appends to a partition.
   *
   * @param bytes from position to limit; when the call returns, the position is the limit, and the
   *     caller may use the buffer for something else
   * @param rawBytes what these bytes count in {@link BlockIndex#rawLength}
   * @throws IllegalArgumentException when there is no such partition
   * @throws IllegalStateException when the partition comes too late for {@link
   *     WriteOrder#BY_PARTITION}, or the writer has ended or failed before
   * @throws IOException naming the block, and the file and the space left where that is the matter
   */
  void append(int partition, ByteBuffer bytes, long rawBytes) throws IOException;

  /**
   * Makes the block readable, at once and whole; nothing can be appended any more.
   *
   * @throws IllegalStateException when the writer has ended or failed before
   * @throws IOException when it cannot, also because the block was deleted or begun again
   */
  BlockIndex commit() throws IOException;

  /** Deletes what was written unless it was committed. */
  @Override
  void close() throws IOException;
}
