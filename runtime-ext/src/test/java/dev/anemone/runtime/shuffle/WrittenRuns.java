// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkFormat;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.merge.BlockRunCursor;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Chunks as they were handed over, split into runs and read back through a store. */
public final class WrittenRuns implements ChunkSink {

  private static final BlockId SCRATCH = new BlockId("scratch");
  private static final PagePool READ_PAGES = new PagePool(PagePool.PAGE_BYTES);

  private final List<Run> runs = new ArrayList<>();

  /** A run, as the chunks that it is made of. */
  public record Run(int partition, List<byte[]> chunks) {

    /** Its records, read through a block of a store. */
    public List<TestRecord> records(BlockStore store) throws IOException, InterruptedException {
      try (BlockWriter block = store.create(SCRATCH, 1, WriteOrder.BY_PARTITION)) {
        for (byte[] chunk : chunks) {
          block.append(0, ByteBuffer.wrap(chunk), ChunkFormat.rawLength(ByteBuffer.wrap(chunk), 0));
        }
        block.commit();
      }
      List<TestRecord> records =
          readPartition(store.open(SCRATCH, new ReadStatistics()), 0, partition);
      store.delete(SCRATCH);
      return records;
    }
  }

  @Override
  public void accept(int partition, ByteBuffer chunks, long rawBytes) {
    long raw = 0;
    while (chunks.hasRemaining()) {
      int start = chunks.position();
      byte[] chunk = new byte[ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(chunks, start)];
      raw += ChunkFormat.rawLength(chunks, start);
      if (ChunkFormat.startsRun(chunks, start)) {
        runs.add(new Run(partition, new ArrayList<>()));
      }
      chunks.get(chunk);
      Run run = runs.get(runs.size() - 1);
      if (run.partition() != partition) {
        throw new IllegalStateException("partition " + partition + " does not begin with a run");
      }
      run.chunks().add(chunk);
    }
    if (raw != rawBytes) {
      throw new IllegalStateException(rawBytes + " raw bytes were announced of " + raw);
    }
  }

  public List<Run> runs() {
    return runs;
  }

  /** The records of one partition of a block; closes the block. */
  public static List<TestRecord> readPartition(BlockReader block, int partition, int name)
      throws IOException, InterruptedException {
    List<TestRecord> records = new ArrayList<>();
    TaskMemory memory = new TaskMemory(READ_PAGES, PagePool.PAGE_BYTES);
    try (PartitionedRun run = new BlockRunCursor(block, partition, memory)) {
      while (run.nextPartition()) {
        while (run.next()) {
          records.add(TestRecord.of(name, run));
        }
      }
    }
    return records;
  }
}
