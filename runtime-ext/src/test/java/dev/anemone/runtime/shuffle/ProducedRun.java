// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkWriter;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** A run that a producer made, for a block. */
public record ProducedRun(Producer producer, Codec codec, List<TestRecord> records) {

  private static final PagePool WRITE_PAGES = new PagePool(PagePool.PAGE_BYTES);

  public static Codec anyCodec(Random random) {
    List<Codec> codecs = List.of(Codec.values());
    return codecs.get(random.nextInt(codecs.size()));
  }

  /** Writes a block of which each partition is the runs given for it, one behind the other. */
  public static void write(BlockStore store, BlockId id, List<List<ProducedRun>> partitions)
      throws IOException, InterruptedException {
    TaskMemory memory = new TaskMemory(WRITE_PAGES, PagePool.PAGE_BYTES);
    try (BlockWriter block = store.create(id, partitions.size(), WriteOrder.BY_PARTITION)) {
      for (int partition = 0; partition < partitions.size(); partition++) {
        for (ProducedRun run : partitions.get(partition)) {
          try (ChunkWriter chunks = new ChunkWriter(run.codec(), run.producer(), memory)) {
            chunks.write(partition, new ListedRun(run.records()), block::append);
          }
        }
      }
      block.commit();
    }
  }
}
