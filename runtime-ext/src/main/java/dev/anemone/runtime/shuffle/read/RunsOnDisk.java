// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.ChunkStream;
import dev.anemone.runtime.shuffle.format.ChunkWriter;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RunCursor;
import dev.anemone.runtime.shuffle.merge.CombinedRun;
import dev.anemone.runtime.shuffle.merge.MergedRuns;
import dev.anemone.runtime.shuffle.merge.Spills;
import dev.anemone.runtime.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;

/** The runs of a reader that are not in its memory. Used by one thread. */
final class RunsOnDisk implements Closeable {

  private static final Producer SEVERAL_PRODUCERS = new Producer(-1, 0);
  private static final int LEAST_PAGES = 3;

  private final ShuffleReader.Settings settings;
  private final TaskMemory memory;
  private final Spills spills;
  private final List<DiskRun> runs = new ArrayList<>();

  RunsOnDisk(
      ShuffleReader.Settings settings,
      TaskMemory memory,
      BlockStore store,
      FetchStatistics statistics) {
    this.settings = settings;
    this.memory = memory;
    this.spills =
        new Spills(
            store,
            settings.spillId(),
            settings.partitions(),
            statistics::countSpill,
            statistics.spillReads());
  }

  int size() {
    return runs.size();
  }

  void addAll(Collection<DiskRun> added) {
    runs.addAll(added);
  }

  /**
   * Merges runs into a spill, which the caller may add; takes a page for it.
   *
   * @param sorted is closed
   */
  DiskRun spill(List<PartitionedRun> sorted) throws IOException, InterruptedException {
    try (MergedRuns merged = new MergedRuns(sorted)) {
      Spills.Spill spill = spills.spill(sink -> write(merged, sink));
      return new DiskRun.Spilled(spills, spill);
    }
  }

  private long write(MergedRuns merged, ChunkSink sink) throws IOException, InterruptedException {
    RunCursor run = combined(merged);
    long records = 0;
    try (ChunkWriter writer = new ChunkWriter(settings.spillCodec(), SEVERAL_PRODUCERS, memory)) {
      while (merged.nextPartition()) {
        records += writer.write(merged.partition(), run, sink);
      }
    }
    return records;
  }

  private RunCursor combined(RunCursor merged) {
    return settings.combiners() == null ? merged : new CombinedRun(merged, settings.combiners());
  }

  /**
   * Copies chunks into a spill as they are stored: the current one of a stream, and those behind it
   * that belong to the same run. The stream is behind them then.
   *
   * @param counter is told the bytes of every chunk before compression
   */
  DiskRun copy(ChunkStream chunks, LongConsumer counter) throws IOException, InterruptedException {
    Producer producer = chunks.producer();
    Spills.Spill spill =
        spills.spill(
            sink -> {
              long copied = 0;
              do {
                counter.accept(chunks.recordsLength());
                chunks.copyTo(sink);
                copied++;
              } while (chunks.next() && !chunks.startsRun() && chunks.producer().equals(producer));
              return copied;
            });
    return new DiskRun.Spilled(spills, spill);
  }

  /**
   * Merges the smallest runs, only as many as are needed, until a cursor over each of those left
   * has a page.
   */
  void mergeUntilAllCanBeOpen() throws IOException, InterruptedException {
    int most = Math.max(LEAST_PAGES, FreePages.upTo(runs.size(), memory));
    while (runs.size() > most) {
      runs.sort(Comparator.comparingLong(DiskRun::storedBytes));
      List<DiskRun> smallest =
          List.copyOf(runs.subList(0, Math.min(most - 1, runs.size() - most + 1)));
      DiskRun spilled = spill(open(smallest));
      runs.add(spilled);
      runs.removeAll(smallest);
      for (DiskRun run : smallest) {
        run.discard();
      }
    }
  }

  /** Whether there is a page for a cursor over every run. */
  boolean canAllBeOpen() {
    return FreePages.atLeast(runs.size(), memory);
  }

  /** A cursor over every run. */
  List<PartitionedRun> openAll() throws IOException, InterruptedException {
    return open(runs);
  }

  private List<PartitionedRun> open(List<DiskRun> opened) throws IOException, InterruptedException {
    List<PartitionedRun> cursors = new ArrayList<>();
    try {
      for (DiskRun run : opened) {
        cursors.add(run.open(memory));
      }
      return cursors;
    } catch (IOException | InterruptedException | RuntimeException e) {
      CloseAll.after(e, cursors);
      throw e;
    }
  }

  /** Deletes the spills. */
  @Override
  public void close() throws IOException {
    spills.close();
  }
}
