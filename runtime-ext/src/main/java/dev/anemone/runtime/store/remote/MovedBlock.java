// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.PartitionLengths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Takes the bytes of a block in the order in which they were appended, and appends them to another
 * writer. What comes behind the last of them, such as an index, is dropped.
 */
final class MovedBlock implements WritableByteChannel {

  private final BlockWriter target;
  private final AppendLog log;
  private final PartitionLengths lengths;
  private int rawUpTo;
  private int run;
  private long doneOfRun;

  /** Nothing is moved yet. */
  MovedBlock(BlockWriter target, AppendLog log, PartitionLengths lengths) {
    this.target = target;
    this.log = log;
    this.lengths = lengths;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    int taken = bytes.remaining();
    while (bytes.hasRemaining() && run < log.runs()) {
      int partition = log.partition(run);
      moveRaw(partition);
      int n = (int) Math.min(bytes.remaining(), log.length(run) - doneOfRun);
      ByteBuffer piece = bytes.slice(bytes.position(), n);
      target.append(partition, piece, 0);
      bytes.position(bytes.position() + n);
      doneOfRun += n;
      if (doneOfRun == log.length(run)) {
        run++;
        doneOfRun = 0;
      }
    }
    bytes.position(bytes.limit());
    return taken;
  }

  /** Raw lengths go ahead of the bytes, in the order of the partitions, as all orders allow it. */
  private void moveRaw(int lastPartition) throws IOException {
    for (; rawUpTo <= lastPartition; rawUpTo++) {
      if (lengths.raw(rawUpTo) > 0) {
        target.append(rawUpTo, ByteBuffer.allocate(0), lengths.raw(rawUpTo));
      }
    }
  }

  /**
   * Ends the moving.
   *
   * @throws IOException when bytes are missing
   */
  void finish() throws IOException {
    if (run < log.runs()) {
      throw new IOException("not all that was written came back from the pool");
    }
    for (int p = rawUpTo; p < lengths.partitions(); p++) {
      if (lengths.raw(p) > 0) {
        target.append(p, ByteBuffer.allocate(0), lengths.raw(p));
      }
    }
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {
    // The writer is its owner's.
  }
}
