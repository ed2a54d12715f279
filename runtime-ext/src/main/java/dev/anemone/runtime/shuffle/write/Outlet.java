// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.shuffle.sort.SortBuffer;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** Where a {@link ShuffleWriter} puts the contents of full buffers. Used by one thread. */
interface Outlet extends Closeable {

  /** Takes the memory that it needs to work. */
  void start() throws InterruptedException;

  /** Writes all that is in a buffer, each partition as a run; leaves the buffer as it is. */
  void drain(SortBuffer full) throws IOException, InterruptedException;

  /** Where large records go until the buffer is drained; empty when they must not be divided. */
  Optional<LargeRecords> aside();

  /** Writes a run of one record. */
  void large(int partition, LargeRecord record) throws IOException, InterruptedException;

  /** Writes what is left in the buffer, and ends; may close the buffer. */
  void finish(SortBuffer rest) throws IOException, InterruptedException;

  /** Gives memory back, and deletes what is only of use until {@link #finish}. */
  @Override
  void close() throws IOException;
}
