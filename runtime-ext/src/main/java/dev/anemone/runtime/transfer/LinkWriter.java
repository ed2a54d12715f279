// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.record.RecordWriter;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import java.io.Closeable;
import java.io.IOException;

/** The writer of one output link of a task. Used by the task's thread. */
interface LinkWriter extends RecordWriter, Closeable {

  /**
   * Writes what is still in memory.
   *
   * @return what to tell the consumers when the attempt succeeds
   */
  BlockAnnouncement finish() throws IOException, InterruptedException;

  /** What was written. */
  EdgeCounters counters();

  /**
   * Bytes of the records that went into each partition, after combining and before compression.
   *
   * @throws IllegalStateException before {@link #finish}
   */
  long[] partitionBytes();

  /** Lets go of memory and files; keeps the block if {@link #finish} returned. */
  @Override
  void close() throws IOException;
}
