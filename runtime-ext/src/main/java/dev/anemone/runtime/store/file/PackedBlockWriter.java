// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.PartitionLengths;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes partitions one behind the other. */
final class PackedBlockWriter extends LocalBlockWriter {

  private final SequentialOutput output;

  PackedBlockWriter(
      LocalFileStore store,
      BlockId id,
      BlockFile file,
      PartitionLengths lengths,
      WriteBuffers buffers) {
    super(store, id, file, lengths);
    this.output = new SequentialOutput(file, buffers);
  }

  @Override
  void write(int partition, long position, ByteBuffer bytes) throws IOException {
    output.append(bytes);
  }

  @Override
  BlockTable finish() throws IOException {
    output.flush();
    return lengths().packed();
  }

  @Override
  void release() {
    output.release();
  }
}
