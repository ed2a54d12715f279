// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads the local copy of another node's block, by that block's id. */
public final class FetchedBlock implements BlockReader {

  private final BlockId id;
  private final BlockReader copy;
  private final FetchWay way;

  /**
   * A reader of a copy.
   *
   * @param copy is closed with this reader
   */
  FetchedBlock(BlockId id, BlockReader copy, FetchWay way) {
    this.id = id;
    this.copy = copy;
    this.way = way;
  }

  /** How it came. */
  public FetchWay way() {
    return way;
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
