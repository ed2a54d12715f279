// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.resource.FileTrees;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.PartitionLengths;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps blocks in files as Tez does, so that YARN's shuffle handler for Tez serves them: block
 * {@code a/b} is {@code <root>/a/b/file.out}, and its index, a Tez spill record, is {@code
 * <root>/a/b/file.out.index}. A block is committed when its index is there, which comes last and at
 * once. Files are not forced to the disk: blocks do not outlive a crash of the machine.
 *
 * <p>The handler sends a range of partitions as one piece of the file. So it can serve several
 * partitions at a time from blocks that were written {@link WriteOrder#BY_PARTITION}, and only one
 * at a time from those written in {@link WriteOrder#ANY} order.
 *
 * <p>A block can lie below another one's path; they know nothing of each other. Beginning a
 * committed block again, or deleting one that is being written, is allowed: the older writer fails
 * when it commits. Open readers keep what they have opened. Several processes can have a store at
 * the same root as long as each writes and deletes paths of its own. Thread-safe.
 */
public final class LocalFileStore implements BlockStore {

  /**
   * The part of the heap that indexes may take: 32 MB of 1 GB, for blocks of 4 million partitions.
   */
  private static final int INDEX_SHARE = 32;

  private static final long LEAST_INDEX_BYTES = 16L << 20;

  /** What is gathered of a block that is written in any order: the size of eight buffers. */
  private static final long GATHERED_BYTES = 1 << 20;

  private static final int LOCKS = 64;
  private static final int CREATE_ATTEMPTS = 100;

  private final Path root;
  private final long maxGatheredBytes;
  private final long maxExtentBytes;
  private final IndexCache indexes;
  private final WriteBuffers buffers = new WriteBuffers();
  private final Map<BlockId, LocalBlockWriter> writing = new ConcurrentHashMap<>();
  private final Map<BlockId, Long> committed = new ConcurrentHashMap<>();
  private final AtomicLong usedBytes = new AtomicLong();
  private final Object[] locks = new Object[LOCKS];

  /** Those who make directories share it; whoever deletes empty ones has it alone. */
  private final ReadWriteLock directories = new ReentrantReadWriteLock();

  /**
   * A store whose blocks lie below a directory.
   *
   * @param root made when the first block is begun, if it is not there
   */
  public LocalFileStore(Path root) {
    this(
        root,
        Math.max(LEAST_INDEX_BYTES, Runtime.getRuntime().maxMemory() / INDEX_SHARE),
        GATHERED_BYTES,
        ExtentBlockWriter.MAX_FILE_BYTES);
  }

  /**
   * A store with limits that tests can reach.
   *
   * @param indexCacheBytes bytes of heap for indexes of committed blocks
   * @param maxGatheredBytes the most of a block that is gathered in memory before it is written to
   *     extents; for blocks that are written in any order, as the following one
   * @param maxExtentBytes the most that a partition may grow in place before it is moved for the
   *     first time, a power of two
   */
  public LocalFileStore(
      Path root, long indexCacheBytes, long maxGatheredBytes, long maxExtentBytes) {
    this.root = root;
    this.indexes = new IndexCache(indexCacheBytes);
    this.maxGatheredBytes = maxGatheredBytes;
    this.maxExtentBytes = maxExtentBytes;
    for (int i = 0; i < LOCKS; i++) {
      locks[i] = new Object();
    }
  }

  /**
   * Begins a block. The writer holds a file open until it is committed or closed.
   *
   * @throws IllegalArgumentException when there are no partitions
   */
  @Override
  public BlockWriter create(BlockId id, int partitions, WriteOrder order) throws IOException {
    PartitionLengths lengths = new PartitionLengths(id, partitions, order);
    BlockFiles files = filesOf(id);
    synchronized (lockOf(id)) {
      forget(id);
      BlockFile file = createData(files);
      LocalBlockWriter writer =
          switch (order) {
            case BY_PARTITION -> new PackedBlockWriter(this, id, file, lengths, buffers);
            case ANY ->
                new ExtentBlockWriter(
                    this, id, file, lengths, buffers, maxGatheredBytes, maxExtentBytes);
          };
      writing.put(id, writer);
      return writer;
    }
  }

  private BlockFile createData(BlockFiles files) throws IOException {
    directories.readLock().lock();
    try {
      return createInDirectories(files);
    } finally {
      directories.readLock().unlock();
    }
  }

  /**
   * Makes the data file. Another process that deletes a neighbour may delete the directories, too,
   * for being empty, which shows in one of two exceptions; then they are made again.
   */
  private static BlockFile createInDirectories(BlockFiles files) throws IOException {
    IOException last = null;
    for (int attempt = 0; attempt < CREATE_ATTEMPTS; attempt++) {
      try {
        makeEmpty(files);
        return BlockFile.create(files.data());
      } catch (NoSuchFileException | FileAlreadyExistsException e) {
        last = e;
      } catch (IOException e) {
        throw FileFailure.of("begin " + files.data(), files.data(), e);
      }
    }
    throw FileFailure.of("begin " + files.data(), files.data(), last);
  }

  /** Makes the directory of a block, or deletes what there is of the block. */
  private static void makeEmpty(BlockFiles files) throws IOException {
    Files.createDirectories(files.directory().getParent());
    try {
      Files.createDirectory(files.directory());
    } catch (FileAlreadyExistsException e) {
      files.delete();
    }
  }

  @Override
  public BlockReader open(BlockId id, ReadStatistics statistics) throws IOException {
    return open(id, statistics, (files, data) -> IndexFile.read(files.index()));
  }

  @Override
  public BlockReader open(BlockId id, List<HashRange> ranges, ReadStatistics statistics)
      throws IOException {
    return open(
        id, statistics, (files, data) -> IndexFile.read(files.index(), ranges, data.size()));
  }

  /** How the index of a block is read that is not in the cache. */
  @FunctionalInterface
  private interface IndexReading {
    BlockIndex read(BlockFiles files, BlockFile data) throws IOException;
  }

  private BlockReader open(BlockId id, ReadStatistics statistics, IndexReading reading)
      throws IOException {
    BlockFiles files = filesOf(id);
    synchronized (lockOf(id)) {
      try {
        BlockFile data = BlockFile.open(files.data());
        try {
          BlockIndex index = indexes.get(id);
          if (index == null) {
            index = reading.read(files, data);
            if (index instanceof BlockTable whole) {
              indexes.put(id, whole);
            }
          }
          return new LocalBlockReader(id, index, data, statistics);
        } catch (IOException | RuntimeException e) {
          try (data) {
            throw e;
          }
        }
      } catch (NoSuchFileException e) {
        indexes.remove(id);
        NoSuchFileException missing =
            new NoSuchFileException(e.getFile(), null, "there is no committed block " + id);
        missing.initCause(e);
        throw missing;
      }
    }
  }

  /** Deletes a block, also one that is being written, and directories that it leaves empty. */
  @Override
  public void delete(BlockId id) throws IOException {
    BlockFiles files = filesOf(id);
    synchronized (lockOf(id)) {
      forget(id);
      files.delete();
      pruneEmpty(files.directory());
    }
  }

  /**
   * Deletes all blocks whose paths begin with a string, also those that are being written and those
   * that writers of earlier processes left. Nobody may begin such a block meanwhile.
   *
   * @param pathPrefix compared by characters, so {@code dag_1} is also the beginning of {@code
   *     dag_10/x}; end it with the separator that follows, as in {@code dag_1/}. Empty for all
   * @throws IllegalArgumentException when it leads out of the root
   */
  public void deleteAll(String pathPrefix) throws IOException {
    if (pathPrefix.startsWith("/") || pathPrefix.contains("..")) {
      throw new IllegalArgumentException(
          "not the beginning of a relative path below a store's root: " + pathPrefix);
    }
    for (Set<BlockId> known : List.of(committed.keySet(), writing.keySet())) {
      for (BlockId id : known) {
        if (id.path().startsWith(pathPrefix)) {
          synchronized (lockOf(id)) {
            forget(id);
          }
        }
      }
    }
    int slash = pathPrefix.lastIndexOf('/');
    Path parent = slash < 0 ? root : root.resolve(pathPrefix.substring(0, slash));
    FileTrees.deleteDirectoriesIn(parent, pathPrefix.substring(slash + 1));
    pruneEmpty(parent);
  }

  /** Bytes of the blocks that were committed in this store object and not deleted. */
  @Override
  public long usedBytes() {
    return usedBytes.get();
  }

  /** Makes a block readable, called by its writer. */
  void publish(LocalBlockWriter writer, BlockTable index) throws IOException {
    BlockId id = writer.id();
    BlockFiles files = filesOf(id);
    synchronized (lockOf(id)) {
      if (writing.get(id) != writer) {
        throw new IOException(
            "block " + id + " was deleted, or begun again by another writer, while it was written");
      }
      try {
        IndexFile.write(files.unfinishedIndex(), index);
        Files.move(files.unfinishedIndex(), files.index(), StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw FileFailure.of("make " + files.index(), files.index(), e);
      }
      writing.remove(id);
      committed.put(id, index.storedBytes());
      usedBytes.addAndGet(index.storedBytes());
      indexes.put(id, index);
    }
  }

  /** Deletes what a writer left; not if another one has begun the block again. */
  void withdraw(LocalBlockWriter writer) throws IOException {
    BlockId id = writer.id();
    synchronized (lockOf(id)) {
      if (writing.get(id) == writer) {
        delete(id);
      }
    }
  }

  private void forget(BlockId id) {
    indexes.remove(id);
    writing.remove(id);
    Long bytes = committed.remove(id);
    if (bytes != null) {
      usedBytes.addAndGet(-bytes);
    }
  }

  private void pruneEmpty(Path directory) throws IOException {
    directories.writeLock().lock();
    try {
      deleteEmpty(directory);
    } finally {
      directories.writeLock().unlock();
    }
  }

  private void deleteEmpty(Path directory) throws IOException {
    for (Path empty = directory; !empty.equals(root); empty = empty.getParent()) {
      try {
        Files.deleteIfExists(empty);
      } catch (DirectoryNotEmptyException e) {
        return;
      }
    }
  }

  private BlockFiles filesOf(BlockId id) {
    return new BlockFiles(root.resolve(id.path()));
  }

  private Object lockOf(BlockId id) {
    return locks[Math.floorMod(id.hashCode(), LOCKS)];
  }
}
