// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.shuffle.format.ChunkSplitter;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Shows what is written into a block of one partition to somebody else first.
 *
 * @param block is closed by somebody else
 * @param chunks sees the chunks
 */
record IndexingWriter(BlockWriter block, ChunkSplitter chunks) implements BlockWriter {

  @Override
  public void append(int partition, ByteBuffer bytes, long rawBytes) throws IOException {
    chunks.add(bytes);
    block.append(partition, bytes, rawBytes);
  }

  @Override
  public BlockIndex commit() throws IOException {
    return block.commit();
  }

  @Override
  public void close() {}
}
