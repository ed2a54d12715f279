package dev.anemone.runtime.store;

import dev.anemone.rdma.pool.PoolFullException;
import dev.anemone.rdma.pool.client.ObjectWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes a block to an object of the pool, and when the pool is full, moves it to the overflow and
 * goes on there. Its methods exclude each other because the store revokes a writer that was
 * abandoned.
 */
final class RemoteBlockWriter implements BlockWriter {

  private final RemoteMemoryStore store;
  private final BlockId id;
  private final WriteOrder order;
  private final PartitionLengths lengths;
  private final ObjectWriter object;
  private final AppendLog log = new AppendLog();
  private BlockWriter overflow;
  private boolean ended;
  private boolean revoked;
  private Exception failure;

  RemoteBlockWriter(
      RemoteMemoryStore store,
      BlockId id,
      WriteOrder order,
      PartitionLengths lengths,
      ObjectWriter object) {
    this.store = store;
    this.id = id;
    this.order = order;
    this.lengths = lengths;
    this.object = object;
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
      object.write(bytes);
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
    object.moveTo(moved);
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
      object.write(extents.encode(index));
      object.commit();
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
      store.withdraw(this);
      try (BlockWriter closedLast = overflow) {
        object.close();
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
