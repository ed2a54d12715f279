// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ReadObserver;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.HeldBlock;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A committed block in the pool. The store and every open reader of this process hold it; its
 * object is deleted when it was withdrawn and the last of them has let it go. Thread-safe.
 */
final class RemoteBlock implements HeldBlock {

  private final BlockId id;
  private final BlockTable index;
  private final RemoteExtents extents;
  private final ObjectReader object;
  private final Deletion deletion;
  private int holders = 1;

  /** Deletes the object. */
  @FunctionalInterface
  interface Deletion {
    void run() throws IOException;
  }

  /** A block that its maker holds. */
  RemoteBlock(
      BlockId id, BlockTable index, RemoteExtents extents, ObjectReader object, Deletion deletion) {
    this.id = id;
    this.index = index;
    this.extents = extents;
    this.object = object;
    this.deletion = deletion;
  }

  @Override
  public BlockId id() {
    return id;
  }

  @Override
  public BlockTable index() {
    return index;
  }

  @Override
  public void read(int partition, long position, int length, ByteBuffer target) throws IOException {
    read(object, partition, position, length, target);
  }

  /** The same block for one reader, who holds it already, and wants to know about copies. */
  HeldBlock counting(ReadObserver observer) {
    return new Counted(this, object.counting(observer));
  }

  /** Reads through a reader of its own. */
  private record Counted(RemoteBlock block, ObjectReader object) implements HeldBlock {

    @Override
    public BlockId id() {
      return block.id();
    }

    @Override
    public BlockTable index() {
      return block.index();
    }

    @Override
    public void read(int partition, long position, int length, ByteBuffer target)
        throws IOException {
      block.read(object, partition, position, length, target);
    }

    @Override
    public void release() throws IOException {
      block.release();
    }
  }

  private void read(ObjectReader from, int partition, long position, int length, ByteBuffer target)
      throws IOException {
    extents.read((at, into) -> readObject(from, at, into), partition, position, length, target);
  }

  private void readObject(ObjectReader from, long position, ByteBuffer target) throws IOException {
    int length = target.remaining();
    if (from.read(position, target) != length) {
      throw new EOFException("block " + id + " is cut off in the pool");
    }
  }

  /** Holds the block once more; false when nobody held it any more, so that it is gone. */
  synchronized boolean hold() {
    if (holders == 0) {
      return false;
    }
    holders++;
    return true;
  }

  @Override
  public void release() throws IOException {
    synchronized (this) {
      holders--;
      if (holders > 0) {
        return;
      }
    }
    deletion.run();
  }
}
