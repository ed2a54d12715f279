// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.memory.TaskMemory;
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

/** Spills the contents of full buffers, and merges them into a block in the end. */
final class BlockOutlet implements Outlet {

  private final RunWriter runs;
  private final Spills spills;
  private final SpillMerge merge;
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
    this.target = statistics.counting(target::append);
    this.statistics = statistics;
  }

  @Override
  public void start() throws InterruptedException {
    runs.start();
  }

  @Override
  public void drain(SortBuffer full) throws IOException, InterruptedException {
    spills.spill(sink -> writeAll(full, sink));
  }

  private long writeAll(SortBuffer full, ChunkSink sink) throws IOException, InterruptedException {
    long written = runs.writeAll(full.sort(), sink);
    statistics.countCombinedAway(full.size() - written);
    return written;
  }

  @Override
  public void large(int partition, LargeRecord record) throws IOException, InterruptedException {
    spills.spill(sink -> runs.write(partition, record, sink));
  }

  @Override
  public void finish(SortBuffer rest) throws IOException, InterruptedException {
    if (spills.all().isEmpty()) {
      writeAll(rest, target);
      return;
    }
    if (rest.size() > 0) {
      drain(rest);
    }
    rest.close();
    merge.into(target);
  }

  @Override
  public void close() throws IOException {
    runs.close();
    spills.close();
  }
}
