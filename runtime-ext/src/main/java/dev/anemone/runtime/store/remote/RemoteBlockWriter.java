// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.rdma.pool.PoolFullException;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.PartitionLengths;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Writes a block to an object of the pool, and when the pool is full, moves it to the overflow and
 * goes on there; without a pool it is there from the start. Its methods exclude each other because
 * the store revokes a writer that was abandoned.
 */
final class RemoteBlockWriter implements BlockWriter {

  private final RemoteMemoryStore store;
  private final BlockId id;
  private final WriteOrder order;
  private final PartitionLengths lengths;

  /** Empty when there is no pool. */
  private final Optional<ObjectWriter> object;

  private final AppendLog log = new AppendLog();
  private BlockWriter overflow;
  private boolean ended;
  private boolean revoked;
  private Exception failure;

  private RemoteBlockWriter(
      RemoteMemoryStore store,
      BlockId id,
      WriteOrder order,
      PartitionLengths lengths,
      Optional<ObjectWriter> object) {
    this.store = store;
    this.id = id;
    this.order = order;
    this.lengths = lengths;
    this.object = object;
  }

  static RemoteBlockWriter inPool(
      RemoteMemoryStore store,
      BlockId id,
      WriteOrder order,
      PartitionLengths lengths,
      ObjectWriter object) {
    return new RemoteBlockWriter(store, id, order, lengths, Optional.of(object));
  }

  static RemoteBlockWriter inOverflow(
      RemoteMemoryStore store, BlockId id, WriteOrder order, PartitionLengths lengths)
      throws IOException {
    RemoteBlockWriter writer = new RemoteBlockWriter(store, id, order, lengths, Optional.empty());
    writer.overflow = store.overflow().create(id, lengths.partitions(), order);
    return writer;
  }

  BlockId id() {
    return id;
  }

  @Override
  public synchronized void append(int partition, ByteBuffer bytes, long rawBytes)
      throws IOException {
    requireOpen();
    lengths.add(partition, bytes.remaining(), rawBytes);
    try {
      if (overflow != null) {
        overflow.append(partition, bytes, rawBytes);
      } else if (!appendToObject(partition, bytes)) {
        moveToOverflow();
        overflow.append(partition, bytes, 0);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  /** Whether there was room for all of the bytes; if not, some are still in the buffer. */
  private boolean appendToObject(int partition, ByteBuffer bytes) throws IOException {
    int start = bytes.position();
    try {
      object.orElseThrow().write(bytes);
      return true;
    } catch (PoolFullException e) {
      return false;
    } finally {
      log.add(partition, bytes.position() - start);
    }
  }

  /** Raw lengths go with it as they were counted, those of the append in progress included. */
  private void moveToOverflow() throws IOException {
    overflow = store.overflow().create(id, lengths.partitions(), order);
    MovedBlock moved = new MovedBlock(overflow, log, lengths);
    object.orElseThrow().moveTo(moved);
    moved.finish();
  }

  @Override
  public synchronized BlockIndex commit() throws IOException {
    requireOpen();
    try {
      BlockIndex index = overflow == null ? commitToPool() : commitToOverflow();
      ended = true;
      return index;
    } catch (IOException | RuntimeException e) {
      fail(e);
      throw e;
    }
  }

  private BlockIndex commitToPool() throws IOException {
    BlockTable index = lengths.packed();
    RemoteExtents extents = log.extents(lengths.partitions());
    try {
      object.orElseThrow().write(extents.encode(index));
      object.orElseThrow().commit();
    } catch (PoolFullException e) {
      // There was room for the block, but not for its index.
      return moveAndCommit();
    }
    store.publish(this, index, extents);
    return index;
  }

  private BlockIndex moveAndCommit() throws IOException {
    moveToOverflow();
    return commitToOverflow();
  }

  private BlockIndex commitToOverflow() throws IOException {
    BlockIndex index = overflow.commit();
    store.publishOverflowed(this, index.storedBytes());
    return index;
  }

  @Override
  public synchronized void close() throws IOException {
    if (!ended) {
      ended = true;
      try (BlockWriter closedLast = overflow;
          ObjectWriter closedFirst = object.orElse(null)) {
        store.withdraw(this);
      }
    }
  }

  /** Ends a writer whose block was deleted or begun again. */
  synchronized void revoke() throws IOException {
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
