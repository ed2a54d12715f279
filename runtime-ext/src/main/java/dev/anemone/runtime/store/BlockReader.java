// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads one committed block. Used by one thread. */
public interface BlockReader extends Closeable {

  BlockId id();

  BlockIndex index();

  /**
   * Reads bytes of a partition: as many as the target has room for and the partition has.
   *
   * @param position offset in bytes from the start of the partition
   * @param target gets the bytes at its position, which moves
   * @throws IndexOutOfBoundsException when there is no such partition, or the position lies behind
   *     its end
   * @throws IOException when fewer bytes are there than the index says, or they cannot be read
   */
  void read(int partition, long position, ByteBuffer target) throws IOException;
}
