package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The runs of a reader that are not in its memory. Used by one thread. */
final class RunsOnDisk implements Closeable {

  private static final Producer SEVERAL_PRODUCERS = new Producer(-1, 0);
  private static final int PARTITION = 0;
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
        new Spills(store, settings.spillId(), 1, statistics::countSpill, statistics.spillReads());
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
  DiskRun spill(List<? extends RunCursor> sorted) throws IOException, InterruptedException {
    try (RunCursor run = combined(new MergedRuns(sorted))) {
      Spills.Spill spill =
          spills.spill(
              sink -> {
                try (ChunkWriter writer =
                    new ChunkWriter(settings.spillCodec(), SEVERAL_PRODUCERS, memory)) {
                  return writer.write(PARTITION, run, sink);
                }
              });
      return new DiskRun.Spilled(spills, spill);
    }
  }

  private RunCursor combined(RunCursor merged) {
    return settings.combiners() == null ? merged : new CombinedRun(merged, settings.combiners());
  }

  /**
   * Copies chunks into a spill as they are stored: the current one of a stream, and those behind it
   * that belong to the same run. The stream is behind them then.
   */
  DiskRun copy(ChunkStream chunks) throws IOException, InterruptedException {
    Producer producer = chunks.producer();
    Spills.Spill spill =
        spills.spill(
            sink -> {
              long copied = 0;
              do {
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
  List<RunCursor> openAll() throws IOException, InterruptedException {
    return open(runs);
  }

  private List<RunCursor> open(List<DiskRun> opened) throws IOException, InterruptedException {
    List<RunCursor> cursors = new ArrayList<>();
    try {
      for (DiskRun run : opened) {
        cursors.add(run.open(memory));
      }
      return cursors;
    } catch (IOException | InterruptedException | RuntimeException e) {
      Closing.after(e, cursors);
      throw e;
    }
  }

  /** Deletes the spills. */
  @Override
  public void close() throws IOException {
    spills.close();
  }
}
