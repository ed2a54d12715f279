// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the local copy of another node's block, by that block's id. */
final class FetchedBlock implements BlockReader {

  private final BlockId id;
  private final BlockReader copy;

  /**
   * A reader of a copy.
   *
   * @param copy is closed with this reader
   */
  FetchedBlock(BlockId id, BlockReader copy) {
    this.id = id;
    this.copy = copy;
  }

  @Override
  public BlockId id() {
    return id;
  }

  @Override
  public BlockIndex index() {
    return copy.index();
  }

  @Override
  public void read(int partition, long position, ByteBuffer target) throws IOException {
    try {
      copy.read(partition, position, target);
    } catch (IOException e) {
      throw LocalCopy.failure(id, e);
    }
  }

  @Override
  public void close() throws IOException {
    copy.close();
  }
}
