// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.sort.SortBuffer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * Writes the records of one output link of one task: gathers them in memory, sorts them when there
 * is no more, and spills them or streams them to a sink. After an exception, all that can be done
 * is to {@link #close} it. Used by one thread.
 */
public final class ShuffleWriter implements Closeable {

  /** The least memory that a writer needs: a page to pack in, and those of a buffer. */
  public static final long LEAST_BYTES = (1L + SortBuffer.LEAST_PAGES) * PagePool.PAGE_BYTES;

  private final WriterSettings settings;
  private final WriteStatistics statistics;
  private final SortBuffer buffer;
  private final Outlet outlet;
  private LargeRecord large;
  private boolean started;
  private boolean ended;

  private ShuffleWriter(
      WriterSettings settings, TaskMemory memory, WriteStatistics statistics, Outlet outlet) {
    if (memory.budgetBytes() < LEAST_BYTES) {
      throw new IllegalArgumentException(
          "a shuffle writer needs at least "
              + LEAST_BYTES
              + " bytes of memory, not "
              + memory.budgetBytes());
    }
    this.settings = settings;
    this.statistics = statistics;
    this.buffer = new SortBuffer(memory, settings.partitions(), settings.sorted());
    this.outlet = outlet;
  }

  /**
   * A writer that fills a block. What does not fit into memory is spilled and merged in the end, so
   * that each partition of the block is one run; where records are not sorted, it is one run for
   * each spill, one after the other.
   *
   * @param memory the writer takes what there is of it, until it is closed
   * @param spills keeps the spills, blocks {@code <id>/spill<n>}, and large records until memory is
   *     full, {@code <id>/large<n>}, which are gone when the writer is closed
   * @param target was begun with {@link dev.anemone.runtime.store.WriteOrder#BY_PARTITION}; remains
   *     the caller's, who commits it after {@link #finish}
   * @param statistics counts what is done
   * @throws IllegalArgumentException when the memory's budget is below {@link #LEAST_BYTES}
   */
  public static ShuffleWriter toBlock(
      WriterSettings settings,
      TaskMemory memory,
      BlockStore spills,
      BlockId id,
      BlockWriter target,
      WriteStatistics statistics) {
    return new ShuffleWriter(
        settings,
        memory,
        statistics,
        new BlockOutlet(settings, memory, spills, id, target, statistics));
  }

  /**
   * A writer that never spills: whenever memory is full, what is there goes to a sink, by
   * partition. All that the sink gets in one call is a run of its own.
   *
   * @param memory the writer takes what there is of it, until it is closed
   * @param sink remains the caller's
   * @param statistics counts what is done
   * @throws IllegalArgumentException when the memory's budget is below {@link #LEAST_BYTES}
   */
  public static ShuffleWriter toSink(
      WriterSettings settings, TaskMemory memory, ChunkSink sink, WriteStatistics statistics) {
    return new ShuffleWriter(
        settings, memory, statistics, new SinkOutlet(settings, memory, sink, statistics));
  }

  /**
   * Writes a record; copies it.
   *
   * @throws IllegalArgumentException when there is no such partition
   * @throws IOException when memory was full and could not be emptied, or the record is larger than
   *     any record may be
   * @throws InterruptedException when the thread was, while it waited for memory or for the sink
   * @throws dev.anemone.runtime.memory.MemoryExhaustedException when others have so much of the
   *     task's memory that not even the least is left
   */
  public void write(int partition, byte[] key, int keyLength, byte[] value, int valueLength)
      throws IOException, InterruptedException {
    if (!started) {
      start();
    }
    if (partition < 0 || partition >= settings.partitions()) {
      throw new IllegalArgumentException(
          "no partition " + partition + ": there are " + settings.partitions());
    }
    long size = RecordFormat.size(keyLength, valueLength);
    if (SortBuffer.isJumbo(size)) {
      writeLarge(partition, key, keyLength, value, valueLength);
    } else if (!buffer.add(partition, key, keyLength, value, valueLength, (int) size)) {
      drain();
      if (!buffer.add(partition, key, keyLength, value, valueLength, (int) size)) {
        throw new IllegalStateException("an empty buffer has no room for " + size + " bytes");
      }
    }
    statistics.countRecord(keyLength, valueLength);
  }

  private void start() throws InterruptedException {
    if (ended) {
      throw new IllegalStateException("the writer of " + settings.producer() + " has ended");
    }
    outlet.start();
    started = true;
  }

  private void drain() throws IOException, InterruptedException {
    outlet.drain(buffer);
    buffer.clear();
  }

  private void writeLarge(int partition, byte[] key, int keyLength, byte[] value, int valueLength)
      throws IOException, InterruptedException {
    LargeRecord.requireAllowed(keyLength, valueLength);
    Optional<LargeRecords> aside = outlet.aside();
    if (aside.isPresent() && LargeRecords.canHold(keyLength)) {
      if (!buffer.hasRoomForReference(keyLength)) {
        drain();
        if (!buffer.hasRoomForReference(keyLength)) {
          throw new IllegalStateException("an empty buffer has no room for a reference");
        }
      }
      aside.get().add(buffer, partition, key, keyLength, value, valueLength);
      return;
    }
    if (large == null) {
      large = new LargeRecord();
    }
    large.set(key, keyLength, value, valueLength);
    if (!settings.sorted() && buffer.size() > 0) {
      drain();
    }
    outlet.large(partition, large);
  }

  /**
   * Writes what is left, and gives all memory back. The block, or what the sink got, is complete
   * then.
   *
   * @throws IllegalStateException when it was called before, or the writer is closed
   */
  public void finish() throws IOException, InterruptedException {
    if (ended) {
      throw new IllegalStateException("the writer of " + settings.producer() + " has ended");
    }
    if (started) {
      outlet.finish(buffer);
    }
    close();
  }

  /** Gives all memory back and deletes the spills; does nothing the second time. */
  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      started = false;
      large = null;
      buffer.close();
      outlet.close();
    }
  }
}
