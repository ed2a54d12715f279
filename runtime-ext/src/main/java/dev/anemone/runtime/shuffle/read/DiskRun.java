// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.shuffle.merge.BlockRunCursor;
import dev.anemone.runtime.shuffle.merge.OpenBlock;
import dev.anemone.runtime.shuffle.merge.Spills;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.util.List;

/** A sorted run outside the task's memory. */
sealed interface DiskRun {

  /** Its bytes as they are stored. */
  long storedBytes();

  /** A cursor over it, which takes a page. */
  PartitionedRun open(TaskMemory memory) throws IOException, InterruptedException;

  /** Says that it is not needed any more. */
  void discard() throws IOException;

  /** A run that a reader spilled: all partitions of a block. */
  record Spilled(Spills spills, Spills.Spill spill) implements DiskRun {

    @Override
    public long storedBytes() {
      return spill.storedBytes();
    }

    @Override
    public PartitionedRun open(TaskMemory memory) throws IOException, InterruptedException {
      BlockReader block = spills.open(spill);
      try {
        List<HashRange> all = List.of(new HashRange(0, block.index().partitions()));
        return new BlockRunCursor(block, all, memory, RunFilter.NOTHING, rawBytes -> {});
      } catch (InterruptedException | RuntimeException e) {
        CloseAll.after(e, List.of(block));
        throw e;
      }
    }

    @Override
    public void discard() throws IOException {
      spills.delete(spill);
    }
  }

  /**
   * A run in a producer's block, which somebody else closes.
   *
   * @param statistics counts what is read of it; it is opened once
   */
  record InPlace(
      BlockReader block,
      List<HashRange> ranges,
      long storedBytes,
      RunFilter filter,
      FetchStatistics statistics)
      implements DiskRun {

    @Override
    public PartitionedRun open(TaskMemory memory) throws InterruptedException {
      return new BlockRunCursor(new OpenBlock(block), ranges, memory, filter, statistics::countRaw);
    }

    @Override
    public void discard() {}
  }
}
