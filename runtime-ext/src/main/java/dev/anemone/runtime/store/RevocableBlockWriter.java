// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A writer that the store can revoke when it was abandoned. Its methods exclude each other for
 * that; what subclasses add is called by one of them at a time. After a failure it is closed.
 */
public abstract class RevocableBlockWriter implements BlockWriter {

  private final BlockId id;
  private final PartitionLengths lengths;
  private boolean ended;
  private boolean revoked;
  private Exception failure;

  /**
   * A writer.
   *
   * @param lengths of the block; the writer counts in them what is appended
   */
  protected RevocableBlockWriter(BlockId id, PartitionLengths lengths) {
    this.id = id;
    this.lengths = lengths;
  }

  /** The block's id. */
  public final BlockId id() {
    return id;
  }

  /** What was appended to each partition, the append in progress included. */
  protected final PartitionLengths lengths() {
    return lengths;
  }

  @Override
  public final synchronized void append(int partition, ByteBuffer bytes, long rawBytes)
      throws IOException {
    requireOpen();
    lengths.add(partition, bytes.remaining(), rawBytes);
    try {
      write(partition, bytes, rawBytes);
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  /** Writes what is appended. */
  protected abstract void write(int partition, ByteBuffer bytes, long rawBytes) throws IOException;

  @Override
  public final synchronized BlockIndex commit() throws IOException {
    requireOpen();
    try {
      BlockIndex index = publish();
      ended = true;
      return index;
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  /** Makes the block one that can be read. */
  protected abstract BlockIndex publish() throws IOException;

  @Override
  public final synchronized void close() throws IOException {
    if (!ended) {
      ended = true;
      discard();
    }
  }

  /** Lets go of all that was written. */
  protected abstract void discard() throws IOException;

  /** Ends a writer whose block was deleted or begun again. */
  public final synchronized void revoke() throws IOException {
    if (!ended) {
      revoked = true;
      close();
    }
  }

  private void fail(Exception e) {
    failure = e;
    try {
      close();
    } catch (IOException inClose) {
      e.addSuppressed(inClose);
    }
  }

  private void requireOpen() throws IOException {
    if (revoked) {
      throw new IOException(
          "block " + id + " was deleted, or begun again by another writer, while it was written");
    }
    if (failure != null) {
      throw new IllegalStateException("the writer of block " + id + " has failed", failure);
    }
    if (ended) {
      throw new IllegalStateException("block " + id + " is committed or closed already");
    }
  }
}
