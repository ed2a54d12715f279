// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import java.io.IOException;
import java.util.BitSet;
import java.util.stream.IntStream;

/** Writes a block that consumers pull. */
final class PullWriter implements LinkWriter {

  private final WriterSettings settings;
  private final TaskMemory memory;
  private final DataPlane plane;
  private final DataStore storeKind;
  private final BlockId id;
  private final WriteStatistics statistics;
  private final BlockWriter block;
  private final ShuffleWriter shuffle;
  private final PartitionedRecords records;
  private BlockIndex index;
  private EdgeCounters.Pooled pooled = EdgeCounters.Pooled.NONE;

  /**
   * A writer.
   *
   * @param memory is closed with the writer
   * @param storeKind where the block goes
   * @param spills where goes what does not fit into the memory
   * @param id names the block
   */
  PullWriter(
      Partitioning partitioning,
      WriterSettings settings,
      TaskMemory memory,
      DataPlane plane,
      DataStore storeKind,
      BlockStore spills,
      BlockId id,
      TaskClock clock)
      throws IOException {
    this.settings = settings;
    this.statistics = new WriteStatistics(clock);
    this.memory = memory;
    this.plane = plane;
    this.storeKind = storeKind;
    this.id = id;
    BlockStore store = plane.store(storeKind);
    this.block = store.create(id, settings.partitions(), WriteOrder.BY_PARTITION);
    this.shuffle = ShuffleWriter.toBlock(settings, memory, spills, id, block, statistics);
    this.records = new PartitionedRecords(partitioning, shuffle);
  }

  @Override
  public void write(ByteSink key, ByteSink value) throws IOException {
    records.write(key, value);
  }

  @Override
  public BlockAnnouncement finish() throws IOException, InterruptedException {
    shuffle.finish();
    Part before = statistics.clock().enter(Part.WRITE);
    index = block.commit();
    statistics.clock().back(before);
    DataStore place = plane.whereIs(id, storeKind);
    pooled = pooled(storeKind, place, index.storedBytes());
    BitSet partitions = new BitSet();
    for (int p = 0; p < index.partitions(); p++) {
      partitions.set(p, index.storedLength(p) > 0);
    }
    return BlockAnnouncement.ofBlock(
        settings.producer(), id, place, plane.here(), partitions, true, records.digest().value());
  }

  private static EdgeCounters.Pooled pooled(DataStore asked, DataStore place, long bytes) {
    if (asked != DataStore.REMOTE_MEMORY) {
      return EdgeCounters.Pooled.NONE;
    }
    return place == asked
        ? new EdgeCounters.Pooled(bytes, 0, 0)
        : new EdgeCounters.Pooled(0, bytes, 0);
  }

  @Override
  public EdgeCounters counters() {
    return WriteCounters.of(statistics, memory, pooled);
  }

  @Override
  public long[] partitionBytes() {
    if (index == null) {
      throw new IllegalStateException("block " + id + " is not finished");
    }
    return IntStream.range(0, index.partitions()).mapToLong(index::rawLength).toArray();
  }

  @Override
  public void close() throws IOException {
    try (TaskMemory closedLast = memory;
        BlockWriter closedSecond = block) {
      shuffle.close();
    }
  }
}
