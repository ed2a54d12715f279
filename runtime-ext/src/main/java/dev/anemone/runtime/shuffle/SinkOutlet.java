package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.memory.TaskMemory;
import java.io.IOException;

/** Streams the contents of full buffers to a sink. */
final class SinkOutlet implements Outlet {

  private final RunWriter runs;
  private final ChunkSink sink;
  private final WriteStatistics statistics;

  SinkOutlet(
      ShuffleWriter.Settings settings,
      TaskMemory memory,
      ChunkSink sink,
      WriteStatistics statistics) {
    this.runs = new RunWriter(settings, memory, true);
    this.sink = statistics.counting(sink);
    this.statistics = statistics;
  }

  @Override
  public void start() throws InterruptedException {
    runs.start();
  }

  @Override
  public void drain(SortBuffer full) throws IOException, InterruptedException {
    statistics.countCombinedAway(full.size() - runs.writeAll(full.sort(), sink));
  }

  @Override
  public void large(int partition, LargeRecord record) throws IOException, InterruptedException {
    runs.write(partition, record, sink);
  }

  @Override
  public void finish(SortBuffer rest) throws IOException, InterruptedException {
    drain(rest);
  }

  @Override
  public void close() {
    runs.close();
  }
}
