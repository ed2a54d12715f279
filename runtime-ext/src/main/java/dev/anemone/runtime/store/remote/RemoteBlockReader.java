// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** Reads a block in the pool, which it holds until it is closed. */
final class RemoteBlockReader implements BlockReader {

  private final RemoteBlock block;
  private boolean closed;

  /** A reader of a block that was held for it. */
  RemoteBlockReader(RemoteBlock block) {
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
