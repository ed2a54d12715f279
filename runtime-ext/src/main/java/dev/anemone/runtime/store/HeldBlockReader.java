// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** Reads a block that it holds until it is closed, also when the block is deleted meanwhile. */
public final class HeldBlockReader implements BlockReader {

  private final HeldBlock block;
  private boolean closed;

  /** A reader of a block that was held for it. */
  public HeldBlockReader(HeldBlock block) {
    this.block = block;
  }

  @Override
  public BlockId id() {
    return block.id();
  }

  @Override
  public BlockIndex index() {
    return block.index();
  }

  @Override
  public void read(int partition, long position, ByteBuffer target) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    int length = block.index().readable(block.id(), partition, position, target.remaining());
    if (length > 0) {
      block.read(partition, position, length, target);
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      block.release();
    }
  }
}
