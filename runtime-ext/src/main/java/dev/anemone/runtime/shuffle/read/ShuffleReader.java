// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.ChunkDecoder;
import dev.anemone.runtime.shuffle.format.ChunkStream;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.CorruptBlockException;
import dev.anemone.runtime.shuffle.format.FilledPartitions;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.shuffle.merge.MergedRuns;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Reads one sorted link of one task: fetches the task's partitions of the producers' blocks, and
 * merges them by partition and key. The partitions of a block are one run, so a task may have many
 * small ones. Runs stay in memory as they are stored while there is room; when there is none left,
 * those in memory are merged into one on disk. Used by one thread.
 */
public final class ShuffleReader implements Closeable {

  /**
   * The least memory that a reader needs: a page to fetch into, one to decompress into, one to
   * write a spill with, and so three to merge two spills into another.
   */
  public static final long LEAST_BYTES = 3L * PagePool.PAGE_BYTES;

  private static final int IN_PLACE_FRACTION = 4;

  private final int partitions;
  private final TaskMemory memory;
  private final FetchStatistics statistics;
  private final FetchedRuns fetched;
  private final PartitionFetch fetch;
  private final RunsOnDisk disk;
  private final List<BlockReader> inPlace = new ArrayList<>();

  /** Runs of the call of {@link #add} that is going on. */
  private final List<DiskRun> unkept = new ArrayList<>();

  /** Kept free, so that a spill can always be written. */
  private ByteBuffer reserve;

  private PartitionedRun merged;
  private boolean ended;

  /**
   * How a link is read.
   *
   * @param partitions number of partitions of the link
   * @param spillId names the spills, blocks {@code <spillId>/spill<n>}
   * @param spillCodec compresses them
   * @param combiners the combiner of a tag, the first byte of a key, or null where the tag has
   *     none; null when no tag has one. Used when runs are merged into a spill
   */
  public record Settings(
      int partitions, BlockId spillId, Codec spillCodec, IntFunction<RecordCombiner> combiners) {

    public Settings {
      if (partitions < 1) {
        throw new IllegalArgumentException("a link has at least one partition, not " + partitions);
      }
      Objects.requireNonNull(spillId, "spillId");
      Objects.requireNonNull(spillCodec, "spillCodec");
    }
  }

  /**
   * A reader that has nothing to read yet.
   *
   * @param memory the reader takes what there is of it and what it needs, until it is closed
   * @param spills keeps the spills, which are gone when the reader is closed
   * @param statistics counts what is done
   * @throws IllegalArgumentException when the memory's budget is below {@link #LEAST_BYTES}
   */
  public ShuffleReader(
      Settings settings, TaskMemory memory, BlockStore spills, FetchStatistics statistics)
      throws InterruptedException {
    if (memory.budgetBytes() < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "a shuffle reader needs at least "
              + LEAST_BYTES
              + " bytes of memory, not "
              + memory.budgetBytes());
    }
    this.partitions = settings.partitions();
    this.memory = memory;
    this.statistics = statistics;
    this.fetched = new FetchedRuns(memory);
    this.disk = new RunsOnDisk(settings, memory, spills, statistics);
    this.fetch = new PartitionFetch(fetched, memory, new FetchOverflow());
    takeReserve();
  }

  /**
   * Adds partitions of a block, each of which is any number of sorted runs; reads them from the
   * first byte to the last. When this throws, nothing of the block was added, and it may be added
   * again, or another instead. Spills that became necessary of what was there before remain.
   *
   * @param block belongs to the reader from now on, which closes it, also when this throws
   * @param ranges the partitions, ascending
   * @param singleRun whether each of these partitions is one run at most, so that all of them are
   *     one together; then a large one is not fetched, but read where it lies when {@link #groups}
   *     is read; what is wrong with it shows only then
   * @param filter tells the runs that are left out
   * @throws CorruptBlockException when the bytes are not those that were written
   * @throws IndexOutOfBoundsException when the block or the link has no such partitions
   * @throws IllegalArgumentException when the ranges are not in ascending order
   * @throws IllegalStateException after {@link #groups}
   */
  public void add(BlockReader block, List<HashRange> ranges, boolean singleRun, RunFilter filter)
      throws IOException, InterruptedException {
    boolean readInPlace;
    long rawBytes = 0;
    try {
      if (ended) {
        throw new IllegalStateException("the link is being read already, or closed");
      }
      check(ranges, Math.min(partitions, block.index().partitions()));
      long storedBytes = storedBytes(block, ranges);
      readInPlace = singleRun && storedBytes > memory.budgetBytes() / IN_PLACE_FRACTION;
      if (readInPlace) {
        unkept.add(
            new DiskRun.InPlace(block, List.copyOf(ranges), storedBytes, filter, statistics));
      } else {
        makeRoom(storedBytes);
        rawBytes = fetch.fetch(block, ranges, filter);
        block.close();
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      takeOut(block, e);
      throw e;
    }
    if (readInPlace) {
      inPlace.add(block);
    }
    fetched.keep();
    disk.addAll(unkept);
    unkept.clear();
    statistics.countRaw(rawBytes);
  }

  private static void check(List<HashRange> ranges, int partitions) {
    int end = 0;
    for (HashRange range : ranges) {
      Objects.checkFromToIndex(range.from(), range.to(), partitions);
      if (range.from() < end) {
        throw new IllegalArgumentException("partitions must be added in their order: " + ranges);
      }
      end = range.to();
    }
  }

  private static long storedBytes(BlockReader block, List<HashRange> ranges) {
    long bytes = 0;
    FilledPartitions filled = new FilledPartitions(block.index(), ranges);
    while (filled.next()) {
      bytes += block.index().storedLength(filled.partition());
    }
    return bytes;
  }

  /**
   * Spills what is in memory before a block that will not fit beside it. Else it would be spilled
   * while the block is fetched, and the part of the block that is in memory then would have to go
   * into a small spill of its own, so that it can be taken out again.
   */
  private void makeRoom(long bytes) throws IOException, InterruptedException {
    if (!fetched.isEmpty() && !fetched.hasRoomFor(bytes)) {
      spillFetched();
      fetched.clear();
      takeReserve();
    }
  }

  private void takeOut(BlockReader block, Exception failure) {
    List<Closeable> closing = new ArrayList<>();
    for (DiskRun run : unkept) {
      closing.add(run::discard);
    }
    unkept.clear();
    fetched.dropUnkept();
    closing.add(block);
    CloseAll.after(failure, closing);
  }

  /** Merges the runs in memory into spills; their pages are still to be cleared. */
  private void spillFetched() throws IOException, InterruptedException {
    Part before = statistics.clock().enter(Part.SPILL);
    giveReserveBack();
    if (!fetched.kept().isEmpty()) {
      disk.addAll(List.of(disk.spill(cursors(fetched.kept()))));
      fetched.forgetKept();
    }
    if (!fetched.unkept().isEmpty()) {
      unkept.add(disk.spill(cursors(fetched.unkept())));
    }
    statistics.clock().back(before);
  }

  private List<PartitionedRun> cursors(List<FetchedRun> runs) {
    ChunkDecoder decoder = new ChunkDecoder();
    List<PartitionedRun> cursors = new ArrayList<>(runs.size());
    for (FetchedRun run : runs) {
      cursors.add(run.cursor(decoder));
    }
    return cursors;
  }

  private void takeReserve() throws InterruptedException {
    reserve = memory.take("spilling fetched runs");
  }

  private void giveReserveBack() {
    if (reserve != null) {
      memory.giveBack(reserve);
      reserve = null;
    }
  }

  /**
   * All that was added, by partition and key; to be called once. What it gives is valid until the
   * reader is closed.
   *
   * @throws CorruptBlockException when a spill is corrupt, or a run that is read where it lies
   */
  public GroupReader groups() throws IOException, InterruptedException {
    if (ended) {
      throw new IllegalStateException("the link is being read already, or closed");
    }
    ended = true;
    giveReserveBack();
    if (!disk.canAllBeOpen()) {
      spillFetched();
      fetched.clear();
      disk.mergeUntilAllCanBeOpen();
    }
    List<PartitionedRun> cursors = cursors(fetched.kept());
    cursors.addAll(disk.openAll());
    merged = new MergedRuns(cursors);
    return new MergedGroups(merged, statistics);
  }

  /** Gives all pages back, closes the blocks that are open, and deletes the spills. */
  @Override
  public void close() throws IOException {
    ended = true;
    List<Closeable> closing = new ArrayList<>();
    if (merged != null) {
      closing.add(merged);
      merged = null;
    }
    closing.addAll(inPlace);
    inPlace.clear();
    closing.add(disk);
    fetched.clear();
    giveReserveBack();
    CloseAll.of(closing);
  }

  /** Makes room while a block is fetched. */
  private final class FetchOverflow implements PartitionFetch.Overflow {

    @Override
    public void spill() throws IOException, InterruptedException {
      spillFetched();
      fetched.clearButLastPage();
      takeReserve();
    }

    @Override
    public long spillLarge(
        BlockReader block, int partition, long offset, RunFilter filter, LongConsumer counter)
        throws IOException, InterruptedException {
      giveReserveBack();
      long end;
      try (ChunkStream chunks = new ChunkStream(memory)) {
        chunks.open(block, partition, offset);
        chunks.next();
        if (filter.skips(partition, chunks.producer())) {
          passOver(chunks);
        } else {
          unkept.add(disk.copy(chunks, counter));
        }
        end = chunks.offset();
      }
      takeReserve();
      return end;
    }

    private void passOver(ChunkStream chunks) throws IOException {
      boolean continued;
      do {
        continued = chunks.isContinued();
      } while (chunks.next() && continued);
    }
  }
}
