// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.RunCursor;
import dev.anemone.runtime.shuffle.merge.Spills.Spill;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;

/**
 * Merges spills, partition by partition. Each sorted run takes a page to be read; where there are
 * more spills than pages, the smallest ones are merged into one first, and only as many as are
 * needed for the last pass to take all that are left. Used by one thread.
 */
public final class SpillMerge {

  private static final int LEAST_RUNS = 2;

  private final WriterSettings settings;
  private final TaskMemory memory;
  private final RunWriter runs;
  private final Spills spills;
  private final WriteStatistics statistics;

  public SpillMerge(
      WriterSettings settings,
      TaskMemory memory,
      RunWriter runs,
      Spills spills,
      WriteStatistics statistics) {
    this.settings = settings;
    this.memory = memory;
    this.runs = runs;
    this.spills = spills;
    this.statistics = statistics;
  }

  /** Merges all spills, and deletes them. */
  public void into(ChunkSink target) throws IOException, InterruptedException {
    if (settings.sorted()) {
      int most = mostRuns();
      while (spills.all().size() > most) {
        List<Spill> smallest = smallest(Math.min(most, spills.all().size() - most + 1));
        spills.spill(sink -> merge(smallest, sink));
        delete(smallest);
      }
    }
    List<Spill> rest = spills.all();
    merge(rest, target);
    delete(rest);
  }

  private int mostRuns() {
    long free = memory.budgetBytes() - memory.usedBytes();
    return Math.max(LEAST_RUNS, Math.toIntExact(free / PagePool.PAGE_BYTES));
  }

  private List<Spill> smallest(int count) {
    return spills.all().stream()
        .sorted(Comparator.comparingLong(Spill::storedBytes))
        .limit(count)
        .toList();
  }

  private void delete(List<Spill> merged) throws IOException {
    for (Spill spill : merged) {
      spills.delete(spill);
    }
  }

  private long merge(List<Spill> merged, ChunkSink sink) throws IOException, InterruptedException {
    long records = merged.stream().mapToLong(Spill::records).sum();
    try (OpenSpills open = new OpenSpills(spills, merged, memory)) {
      if (settings.combines()) {
        long written = 0;
        for (int partition = 0; partition < settings.partitions(); partition++) {
          written += mergePartition(open, partition, sink);
        }
        statistics.countCombinedAway(records - written);
        return written;
      }
      for (int partition = 0; partition < settings.partitions(); partition++) {
        if (settings.sorted() && open.runs(partition) > 1) {
          mergePartition(open, partition, sink);
        } else {
          open.copy(partition, sink);
        }
      }
    }
    return records;
  }

  private long mergePartition(OpenSpills open, int partition, ChunkSink sink)
      throws IOException, InterruptedException {
    if (open.runs(partition) == 0) {
      return 0;
    }
    try (RunCursor merged = open.merged(partition)) {
      return runs.write(partition, merged, sink);
    }
  }
}
