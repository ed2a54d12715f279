// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.PartitionLengths;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes partitions one behind the other; gathers small appends. */
final class PackedBlockWriter extends LocalBlockWriter {

  private final WriteBuffers buffers;
  private ByteBuffer gathered;
  private long written;

  PackedBlockWriter(
      LocalFileStore store,
      BlockId id,
      BlockFile file,
      PartitionLengths lengths,
      WriteBuffers buffers) {
    super(store, id, file, lengths);
    this.buffers = buffers;
  }

  @Override
  void write(int partition, long position, ByteBuffer bytes) throws IOException {
    if (gathered != null && bytes.remaining() > gathered.remaining()) {
      flush();
    }
    if (bytes.remaining() >= WriteBuffers.BUFFER_BYTES) {
      writeNow(bytes);
      return;
    }
    if (gathered == null) {
      gathered = buffers.take();
    }
    gathered.put(bytes);
  }

  private void flush() throws IOException {
    writeNow(gathered.flip());
    gathered.clear();
  }

  private void writeNow(ByteBuffer bytes) throws IOException {
    int length = bytes.remaining();
    file().write(bytes, written);
    written += length;
  }

  @Override
  BlockTable finish() throws IOException {
    if (gathered != null) {
      flush();
    }
    return lengths().packed();
  }

  @Override
  void release() {
    if (gathered != null) {
      buffers.giveBack(gathered);
      gathered = null;
    }
  }
}
