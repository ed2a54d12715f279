// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.store.BlockWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The block for what cannot be pushed, begun when there is something. Used by one thread. */
final class FallbackBlock {

  private final BlockWriterSupplier supplier;
  private BlockWriter writer;
  private long bytes;

  FallbackBlock(BlockWriterSupplier supplier) {
    this.supplier = supplier;
  }

  void append(int partition, ByteBuffer source, long rawBytes) throws IOException {
    if (writer == null) {
      writer = supplier.open();
    }
    int length = source.remaining();
    writer.append(partition, source, rawBytes);
    bytes += length;
  }

  boolean isWritten() {
    return writer != null;
  }

  long bytes() {
    return bytes;
  }
}
