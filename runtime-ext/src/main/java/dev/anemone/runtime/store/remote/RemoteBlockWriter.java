// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.rdma.pool.PoolFullException;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.PartitionLengths;
import dev.anemone.runtime.store.RevocableBlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Writes a block to an object of the pool, and when the pool is full, moves it to the overflow and
 * goes on there; without a pool it is there from the start.
 */
final class RemoteBlockWriter extends RevocableBlockWriter {

  private final RemoteMemoryStore store;
  private final WriteOrder order;

  /** Empty when there is no pool. */
  private final Optional<ObjectWriter> object;

  private final AppendLog log = new AppendLog();
  private BlockWriter overflow;

  private RemoteBlockWriter(
      RemoteMemoryStore store,
      BlockId id,
      WriteOrder order,
      PartitionLengths lengths,
      Optional<ObjectWriter> object) {
    super(id, lengths);
    this.store = store;
    this.order = order;
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

  @Override
  protected void write(int partition, ByteBuffer bytes, long rawBytes) throws IOException {
    if (overflow != null) {
      overflow.append(partition, bytes, rawBytes);
    } else if (!appendToObject(partition, bytes)) {
      moveToOverflow();
      overflow.append(partition, bytes, 0);
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
    overflow = store.overflow().create(id(), lengths().partitions(), order);
    MovedBlock moved = new MovedBlock(overflow, log, lengths());
    object.orElseThrow().moveTo(moved);
    moved.finish();
  }

  @Override
  protected BlockIndex publish() throws IOException {
    return overflow == null ? commitToPool() : commitToOverflow();
  }

  private BlockIndex commitToPool() throws IOException {
    BlockTable index = lengths().packed();
    RemoteExtents extents = log.extents(lengths().partitions());
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
  protected void discard() throws IOException {
    try (BlockWriter closedLast = overflow;
        ObjectWriter closedFirst = object.orElse(null)) {
      store.withdraw(this);
    }
  }
}
