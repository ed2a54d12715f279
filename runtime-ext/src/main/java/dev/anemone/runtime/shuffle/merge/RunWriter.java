// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.ChunkWriter;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RunCursor;
import java.io.IOException;

/** Writes runs as a writer's settings say: combined, packed, compressed. Used by one thread. */
public final class RunWriter implements AutoCloseable {

  private final WriterSettings settings;
  private final TaskMemory memory;
  private final boolean splitsRuns;
  private ChunkWriter chunks;

  /**
   * A writer.
   *
   * @param splitsRuns whether what the sink gets in one call is a run of its own
   */
  public RunWriter(WriterSettings settings, TaskMemory memory, boolean splitsRuns) {
    this.settings = settings;
    this.memory = memory;
    this.splitsRuns = splitsRuns;
  }

  /** Takes the page that it works in, see {@link ChunkWriter}. */
  public void start() throws InterruptedException {
    chunks = new ChunkWriter(settings.codec(), settings.producer(), memory, splitsRuns);
  }

  /**
   * Writes the records of a sorted buffer, each partition as one run.
   *
   * @return number of records that were written, after combining
   */
  public long writeAll(PartitionedRun records, ChunkSink sink)
      throws IOException, InterruptedException {
    RunCursor run = combined(records);
    long written = 0;
    while (records.nextPartition()) {
      written += chunks.write(records.partition(), run, sink);
    }
    return written;
  }

  /**
   * Writes a run; does not close it.
   *
   * @return number of records that were written, after combining
   */
  public long write(int partition, RunCursor run, ChunkSink sink)
      throws IOException, InterruptedException {
    return chunks.write(partition, combined(run), sink);
  }

  private RunCursor combined(RunCursor run) {
    return settings.combines() ? new CombinedRun(run, settings.combiners()) : run;
  }

  /** Gives the page back. */
  @Override
  public void close() {
    if (chunks != null) {
      chunks.close();
      chunks = null;
    }
  }
}
