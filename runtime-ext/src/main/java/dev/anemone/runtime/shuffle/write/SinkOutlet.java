// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.clock.TaskClock.Part;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.merge.RunWriter;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.sort.SortBuffer;
import java.io.IOException;
import java.util.Optional;

/** Streams the contents of full buffers to a sink. */
final class SinkOutlet implements Outlet {

  private final RunWriter runs;
  private final ChunkSink sink;
  private final WriteStatistics statistics;

  SinkOutlet(
      WriterSettings settings, TaskMemory memory, ChunkSink sink, WriteStatistics statistics) {
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
    Part before = statistics.clock().enter(Part.WRITE);
    long written = runs.writeAll(Sorting.sorted(full, statistics.clock()), sink);
    statistics.clock().back(before);
    statistics.countCombinedAway(full.size() - written);
  }

  @Override
  public Optional<LargeRecords> aside() {
    return Optional.empty();
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
