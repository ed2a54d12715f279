// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.store.BlockWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The block of a sender, begun when there is something for it: copies of what is pushed, as long as
 * all can be pushed, and else what cannot be. Used by one thread.
 */
final class SenderBlock {

  private final BlockWriterSupplier supplier;
  private BlockWriter writer;
  private long bytes;
  private boolean isCopy;

  SenderBlock(BlockWriterSupplier supplier) {
    this.supplier = supplier;
  }

  /** Adds what cannot be pushed; copies that were there are let go. */
  void append(int partition, ByteBuffer source, long rawBytes) throws IOException {
    if (isCopy) {
      writer.close();
      writer = null;
      bytes = 0;
      isCopy = false;
    }
    write(partition, source, rawBytes);
  }

  /** Adds a copy of a batch that is about to be pushed, unless something could not be. */
  void copy(OutgoingBatch batch) throws IOException {
    if (writer == null || isCopy) {
      batch.writeTo(this::write);
      isCopy = true;
    }
  }

  private void write(int partition, ByteBuffer source, long rawBytes) throws IOException {
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

  /** Whether it has what was pushed, and nothing else. */
  boolean isCopy() {
    return isCopy;
  }

  long bytes() {
    return bytes;
  }
}
