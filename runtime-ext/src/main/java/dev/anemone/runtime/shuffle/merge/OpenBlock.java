// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A block that stays open when a cursor over one of its partitions is closed.
 *
 * @param block is closed by somebody else
 */
public record OpenBlock(BlockReader block) implements BlockReader {

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
    block.read(partition, position, target);
  }

  @Override
  public void close() {}
}
