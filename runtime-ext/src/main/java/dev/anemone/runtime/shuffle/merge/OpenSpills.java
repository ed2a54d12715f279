// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RunCursor;
import dev.anemone.runtime.shuffle.merge.Spills.Spill;
import dev.anemone.runtime.store.BlockReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Spills that are read side by side, each opened once for all partitions. Used by one thread. */
final class OpenSpills implements Closeable {

  private final TaskMemory memory;
  private final List<BlockReader> blocks = new ArrayList<>();

  /** Opens spills; closes those that it has opened when it fails. */
  OpenSpills(Spills spills, List<Spill> opened, TaskMemory memory) throws IOException {
    this.memory = memory;
    try {
      for (Spill spill : opened) {
        blocks.add(spills.open(spill));
      }
    } catch (IOException | RuntimeException e) {
      CloseAll.after(e, blocks);
      throw e;
    }
  }

  /** Number of spills that have anything of a partition. */
  int runs(int partition) {
    int count = 0;
    for (BlockReader block : blocks) {
      if (block.index().storedLength(partition) > 0) {
        count++;
      }
    }
    return count;
  }

  /** Copies what the spills have of a partition as it is stored, one behind the other. */
  void copy(int partition, ChunkSink sink) throws IOException, InterruptedException {
    if (runs(partition) == 0) {
      return;
    }
    ByteBuffer page = memory.take("copying spilled records");
    try {
      for (BlockReader block : blocks) {
        copy(block, partition, page, sink);
      }
    } finally {
      memory.giveBack(page);
    }
  }

  private static void copy(BlockReader block, int partition, ByteBuffer page, ChunkSink sink)
      throws IOException, InterruptedException {
    long stored = block.index().storedLength(partition);
    long rawBytes = block.index().rawLength(partition);
    for (long position = 0; position < stored; rawBytes = 0) {
      page.clear().limit((int) Math.min(page.capacity(), stored - position));
      block.read(partition, position, page);
      position += page.position();
      sink.accept(partition, page.flip(), rawBytes);
    }
  }

  /** One run of all that the spills have of a partition; to be closed before the next one. */
  RunCursor merged(int partition) throws InterruptedException {
    List<PartitionedRun> cursors = new ArrayList<>();
    try {
      for (BlockReader block : blocks) {
        if (block.index().storedLength(partition) > 0) {
          cursors.add(new BlockRunCursor(new OpenBlock(block), partition, memory));
        }
      }
      MergedRuns merged = new MergedRuns(cursors);
      merged.nextPartition();
      return merged;
    } catch (InterruptedException | RuntimeException e) {
      CloseAll.after(e, cursors);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    CloseAll.of(blocks);
  }
}
