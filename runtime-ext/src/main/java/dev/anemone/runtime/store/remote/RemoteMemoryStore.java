// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.ServerUnavailableException;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.rdma.pool.client.ReadObserver;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.HeldBlockReader;
import dev.anemone.runtime.store.OverflowingStore;
import dev.anemone.runtime.store.PartitionLengths;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps blocks in a pool of remote memory: a block is an object, with its index at the end, so that
 * any client of the pool that knows its id can read it. When the pool is full, the block that is
 * being written goes to another store, with what it has already; a committed block stays where it
 * is. While no server answers, blocks that are begun go there from the start. Of reads it is
 * counted in {@link ReadStatistics} what servers gave, and how far copies in this process answered
 * them. Thread-safe.
 *
 * <p>When a server of the pool is lost, reading a block of which it held a part fails with an
 * {@link IOException}, as reading a damaged file does; the other blocks stay. After DMO and Crail,
 * which keep shuffle data in such pools.
 */
public final class RemoteMemoryStore implements OverflowingStore {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteMemoryStore.class);

  /** What most indexes take; a longer one is read by itself. */
  private static final int INDEX_BYTES = 8 << 10;

  private final PoolClient client;
  private final PoolPath directory;
  private final Lifetime lifetime;
  private final BlockStore overflow;
  private final Map<BlockId, RemoteBlockWriter> writing = new ConcurrentHashMap<>();
  private final Map<BlockId, RemoteBlock> blocks = new ConcurrentHashMap<>();
  private final Map<BlockId, Long> overflowed = new ConcurrentHashMap<>();
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * A store.
   *
   * @param client stays its owner's, who closes it after the last reader
   * @param directory in the pool, for the blocks; made, with their lifetime, if it is not there
   * @param lifetime of the blocks that nobody deletes
   * @param overflow for blocks that find no room, or no pool, by the same ids
   * @throws IOException when the pool does not let this client in
   */
  public RemoteMemoryStore(
      PoolClient client, PoolPath directory, Lifetime lifetime, BlockStore overflow)
      throws IOException {
    this.client = client;
    this.directory = directory;
    this.lifetime = lifetime;
    this.overflow = overflow;
    try {
      client.createDirectory(directory, lifetime);
    } catch (ServerUnavailableException e) {
      LOG.warn("{} is made in the memory pool when that answers: {}", directory, e.getMessage());
    }
  }

  /**
   * Begins a block.
   *
   * @throws IllegalArgumentException when there are no partitions
   */
  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    PartitionLengths lengths = new PartitionLengths(id, partitions, order);
    delete(id);
    RemoteBlockWriter writer = writer(id, order, lengths);
    RemoteBlockWriter former = writing.put(id, writer);
    if (former != null) {
      former.revoke();
    }
    return writer;
  }

  private RemoteBlockWriter writer(BlockId id, WriteOrder order, PartitionLengths lengths)
      throws IOException {
    ObjectWriter object;
    try {
      object = begin(path(id));
    } catch (ServerUnavailableException e) {
      LOG.warn(
          "Block {} goes to local files, as the memory pool does not answer: {}",
          id,
          e.getMessage());
      return RemoteBlockWriter.inOverflow(this, id, order, lengths);
    }
    return RemoteBlockWriter.inPool(this, id, order, lengths, object);
  }

  /** Begins an object, whatever has become of the directory, or has the name, by now. */
  private ObjectWriter begin(PoolPath path) throws IOException {
    try {
      return client.create(path, lifetime);
    } catch (NoSuchFileException e) {
      // It went when its owner's connection ended, and the owner is back.
      client.createDirectory(directory, lifetime);
    } catch (FileAlreadyExistsException e) {
      // Another process wrote it that was given up: the name is this writer's now.
      remove(path);
    }
    return client.create(path, lifetime);
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    if (overflowed.containsKey(id)) {
      return overflow.open(id, statistics);
    }
    RemoteBlock block = blocks.get(id);
    if (block != null && block.hold()) {
      return new HeldBlockReader(block.counting(new CountedReads(statistics)));
    }
    try {
      return new HeldBlockReader(find(id, new CountedReads(statistics)));
    } catch (NoSuchFileException e) {
      throw new NoSuchFileException(id.path(), null, "the pool has no such block");
    }
  }

  /** A block of another process; what it held is not deleted when the reader lets it go. */
  private RemoteBlock find(BlockId id, ReadObserver observer) throws IOException {
    ObjectReader object = client.open(path(id), observer, INDEX_BYTES);
    ByteBuffer tail = ByteBuffer.allocate(RemoteExtents.TAIL_BYTES);
    long length = object.length();
    if (length < RemoteExtents.TAIL_BYTES) {
      throw new IOException("block " + id + " in the pool has no index");
    }
    object.read(length - RemoteExtents.TAIL_BYTES, tail);
    int indexBytes = RemoteExtents.indexBytes(id, tail.flip(), length);
    ByteBuffer index = ByteBuffer.allocate(indexBytes);
    object.read(length - indexBytes, index);
    RemoteExtents.Index read = RemoteExtents.decode(id, index.flip());
    return new RemoteBlock(id, read.table(), read.extents(), object, () -> {});
  }

  /** Deletes a block, also one that is being written: its writer fails from then on. */
  @Override
  public void delete(BlockId id) throws IOException {
    RemoteBlockWriter writer = writing.remove(id);
    if (writer != null) {
      writer.revoke();
    }
    RemoteBlock block = blocks.remove(id);
    if (block != null) {
      usedBytes.addAndGet(-block.index().storedBytes());
      block.release();
    }
    Long bytes = overflowed.remove(id);
    if (bytes != null) {
      usedBytes.addAndGet(-bytes);
      overflow.delete(id);
    }
  }

  /**
   * Deletes all blocks that this store has written whose paths begin with a string, also those that
   * are being written, and those that lie in the overflow.
   *
   * @param pathPrefix compared by characters; empty for all
   */
  public void deleteAll(String pathPrefix) throws IOException {
    List<BlockId> known =
        Stream.of(writing, blocks, overflowed)
            .flatMap(ids -> ids.keySet().stream())
            .filter(id -> id.path().startsWith(pathPrefix))
            .toList();
    for (BlockId id : known) {
      delete(id);
    }
  }

  /** Bytes of the committed blocks that this store has written, in the pool and elsewhere. */
  @Override
  public long usedBytes() {
    return usedBytes.get();
  }

  @Override
  public boolean isOverflowed(BlockId id) {
    return overflowed.containsKey(id);
  }

  BlockStore overflow() {
    return overflow;
  }

  /** Makes a block readable here, and holds it. */
  void publish(RemoteBlockWriter writer, BlockTable index, RemoteExtents extents)
      throws IOException {
    BlockId id = writer.id();
    RemoteBlock block =
        new RemoteBlock(id, index, extents, client.open(path(id)), () -> remove(path(id)));
    usedBytes.addAndGet(index.storedBytes());
    blocks.put(id, block);
    writing.remove(id, writer);
  }

  /** Counts a block that was committed in the overflow. */
  void publishOverflowed(RemoteBlockWriter writer, long storedBytes) {
    usedBytes.addAndGet(storedBytes);
    overflowed.put(writer.id(), storedBytes);
    writing.remove(writer.id(), writer);
  }

  /** Forgets a writer that ended without a block. */
  void withdraw(RemoteBlockWriter writer) {
    writing.remove(writer.id(), writer);
  }

  private void remove(PoolPath path) throws IOException {
    try {
      client.delete(path);
    } catch (NoSuchFileException e) {
      // The lease was over, or a server was lost; it is gone either way.
    }
  }

  /** Names in one directory, since directories cost messages. */
  private PoolPath path(BlockId id) {
    return directory.child(id.path().replace('/', ':'));
  }
}
