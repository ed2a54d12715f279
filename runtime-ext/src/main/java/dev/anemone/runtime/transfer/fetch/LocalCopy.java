// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.fetch;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;

/** Writes what is fetched of a block, and tells failures of this node's disk from the other's. */
final class LocalCopy implements BlockWriter {

  private final BlockId original;
  private final BlockWriter writer;

  LocalCopy(BlockId original, BlockWriter writer) {
    this.original = original;
    this.writer = writer;
  }

  @Override
  public void append(int partition, ByteBuffer bytes, long rawBytes) throws IOException {
    try {
      writer.append(partition, bytes, rawBytes);
    } catch (IOException e) {
      throw failure(original, e);
    }
  }

  @Override
  public BlockIndex commit() throws IOException {
    try {
      return writer.commit();
    } catch (IOException e) {
      throw failure(original, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      writer.close();
    } catch (IOException e) {
      throw failure(original, e);
    }
  }

  /** What a failure of the store here is for the fetch; an interruption is no failure. */
  static IOException failure(BlockId original, IOException cause) {
    return cause instanceof InterruptedIOException
        ? cause
        : new ConsumerFaultException(
            "no copy of block " + original + " can be kept here: " + cause.getMessage(), cause);
  }
}
