package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** A sorted run outside the task's memory. */
sealed interface DiskRun {

  /** Its bytes as they are stored. */
  long storedBytes();

  /** A cursor over it, which takes a page. */
  RunCursor open(TaskMemory memory) throws IOException, InterruptedException;

  /** Says that it is not needed any more. */
  void discard() throws IOException;

  /** A run that a reader spilled. */
  record Spilled(Spills spills, Spills.Spill spill) implements DiskRun {

    @Override
    public long storedBytes() {
      return spill.storedBytes();
    }

    @Override
    public RunCursor open(TaskMemory memory) throws IOException, InterruptedException {
      BlockReader block = spills.open(spill);
      try {
        return new BlockRunCursor(block, 0, memory);
      } catch (InterruptedException | RuntimeException e) {
        Closing.after(e, List.of(block));
        throw e;
      }
    }

    @Override
    public void discard() throws IOException {
      spills.delete(spill);
    }
  }

  /** A run in a producer's block, which somebody else closes. */
  record InPlace(BlockReader block, int partition, Predicate<Producer> dropped) implements DiskRun {

    @Override
    public long storedBytes() {
      return block.index().storedLength(partition);
    }

    @Override
    public RunCursor open(TaskMemory memory) throws InterruptedException {
      return new BlockRunCursor(new OpenBlock(block), partition, memory, dropped);
    }

    @Override
    public void discard() {}
  }
}
