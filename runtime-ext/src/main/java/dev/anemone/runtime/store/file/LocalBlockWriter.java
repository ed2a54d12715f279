// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.PartitionLengths;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes the data file of a block and hands its index to the store. After a failure the files are
 * gone, and with them the space that they took.
 */
abstract class LocalBlockWriter implements BlockWriter {

  private final LocalFileStore store;
  private final BlockId id;
  private final BlockFile file;
  private final PartitionLengths lengths;
  private boolean ended;
  private Exception failure;

  LocalBlockWriter(LocalFileStore store, BlockId id, BlockFile file, PartitionLengths lengths) {
    this.store = store;
    this.id = id;
    this.file = file;
    this.lengths = lengths;
  }

  final BlockId id() {
    return id;
  }

  final BlockFile file() {
    return file;
  }

  final PartitionLengths lengths() {
    return lengths;
  }

  @Override
  public final void append(int partition, ByteBuffer bytes, long rawBytes) throws IOException {
    requireOpen();
    int length = bytes.remaining();
    lengths.add(partition, length, rawBytes);
    try {
      write(partition, lengths.stored(partition) - length, bytes);
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  @Override
  public final BlockIndex commit() throws IOException {
    requireOpen();
    try {
      BlockTable index = finish();
      release();
      file.close();
      store.publish(this, index);
      ended = true;
      return index;
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  @Override
  public final void close() throws IOException {
    if (!ended) {
      ended = true;
      release();
      try (file) {
        store.withdraw(this);
      }
    }
  }

  /** Writes bytes behind those that the partition has already. */
  abstract void write(int partition, long position, ByteBuffer bytes) throws IOException;

  /** Writes what is not written yet. */
  abstract BlockTable finish() throws IOException;

  /** Gives back what the writer has besides its file; may be called again. */
  abstract void release();

  private void fail(Exception e) {
    failure = e;
    try {
      close();
    } catch (IOException inClose) {
      e.addSuppressed(inClose);
    }
  }

  private void requireOpen() {
    if (failure != null) {
      throw new IllegalStateException("the writer of block " + id + " has failed", failure);
    }
    if (ended) {
      throw new IllegalStateException("block " + id + " is committed or closed already");
    }
  }
}
