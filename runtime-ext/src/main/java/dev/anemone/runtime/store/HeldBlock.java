// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A committed block that was held for a reader, until it is released. */
public interface HeldBlock {

  BlockId id();

  BlockTable index();

  /**
   * Reads bytes of a partition, which has them.
   *
   * @param length how many; the target has room for them
   */
  void read(int partition, long position, int length, ByteBuffer target) throws IOException;

  /** Lets the block go. */
  void release() throws IOException;
}
