// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.merge.RunWriter;
import dev.anemone.runtime.shuffle.merge.SpillMerge;
import dev.anemone.runtime.shuffle.merge.Spills;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.sort.SortBuffer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Spills the contents of full buffers, and merges them into a block in the end. */
final class BlockOutlet implements Outlet {

  private final RunWriter runs;
  private final Spills spills;
  private final SpillMerge merge;
  private final LargeRecords aside;
  private final ChunkSink target;
  private final WriteStatistics statistics;

  BlockOutlet(
      WriterSettings settings,
      TaskMemory memory,
      BlockStore store,
      BlockId id,
      BlockWriter target,
      WriteStatistics statistics) {
    this.runs = new RunWriter(settings, memory, false);
    this.spills = new Spills(store, id, settings.partitions(), statistics);
    this.merge = new SpillMerge(settings, memory, runs, spills, statistics);
    this.aside = new LargeRecords(store, id, statistics);
    this.target = statistics.counting(target::append);
    this.statistics = statistics;
  }

  @Override
  public void start() throws InterruptedException {
    runs.start();
  }

  @Override
  public void drain(SortBuffer full) throws IOException, InterruptedException {
    Part before = statistics.clock().enter(Part.SPILL);
    spills.spill(sink -> writeAll(full, sink));
    aside.clear();
    statistics.clock().back(before);
  }

  private long writeAll(SortBuffer full, ChunkSink sink) throws IOException, InterruptedException {
    long written = runs.writeAll(aside.in(Sorting.sorted(full, statistics.clock())), sink);
    statistics.countCombinedAway(full.size() - written);
    return written;
  }

  @Override
  public Optional<LargeRecords> aside() {
    return Optional.of(aside);
  }

  @Override
  public void large(int partition, LargeRecord record) throws IOException, InterruptedException {
    spills.spill(sink -> runs.write(partition, record, sink));
  }

  @Override
  public void finish(SortBuffer rest) throws IOException, InterruptedException {
    if (spills.all().isEmpty()) {
      Part before = statistics.clock().enter(Part.WRITE);
      writeAll(rest, target);
      statistics.clock().back(before);
      return;
    }
    if (rest.size() > 0) {
      drain(rest);
    }
    rest.close();
    Part before = statistics.clock().enter(Part.SPILL);
    merge.into(target);
    statistics.clock().back(before);
  }

  @Override
  public void close() throws IOException {
    runs.close();
    CloseAll.of(List.of(aside, spills));
  }
}
