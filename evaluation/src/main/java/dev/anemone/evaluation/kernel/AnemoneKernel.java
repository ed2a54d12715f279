package dev.anemone.evaluation.kernel;

import dev.anemone.ir.property.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.Codec;
import dev.anemone.runtime.shuffle.FetchStatistics;
import dev.anemone.runtime.shuffle.Producer;
import dev.anemone.runtime.shuffle.RunFilter;
import dev.anemone.runtime.shuffle.ShuffleReader;
import dev.anemone.runtime.shuffle.ShuffleWriter;
import dev.anemone.runtime.shuffle.WriteStatistics;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.LocalFileStore;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import java.io.IOException;
import java.util.List;

/** {@link ShuffleWriter} and {@link ShuffleReader} over local files. */
final class AnemoneKernel implements ShuffleKernel {
  private static final BlockId BLOCK = new BlockId("kernel/block");
  private static final BlockId SPILLS = new BlockId("kernel/reader");

  /** Kept, as a session keeps its pages from task to task. */
  private final PagePool pool;

  AnemoneKernel(long memoryBytes) {
    this.pool = new PagePool(memoryBytes);
  }

  @Override
  public KernelCheck shuffle(KernelShape shape) throws IOException, InterruptedException {
    LocalFileStore store = new LocalFileStore(shape.directory());
    try {
      write(shape, store);
      KernelCheck check = new KernelCheck();
      for (int partition = 0; partition < shape.partitions(); partition++) {
        read(shape, store, partition, check);
      }
      return check;
    } finally {
      store.deleteAll("");
    }
  }

  private static Codec codec(KernelShape shape) {
    return shape.compressed() ? Codec.LZ4 : Codec.NONE;
  }

  private void write(KernelShape shape, LocalFileStore store)
      throws IOException, InterruptedException {
    ShuffleWriter.Settings settings =
        new ShuffleWriter.Settings(
            shape.partitions(), true, codec(shape), new Producer(0, 0), null);
    KernelRecords records = new KernelRecords();
    try (TaskMemory memory = new TaskMemory(pool, shape.memoryBytes());
        BlockWriter target = store.create(BLOCK, shape.partitions(), WriteOrder.BY_PARTITION);
        ShuffleWriter writer =
            ShuffleWriter.toBlock(settings, memory, store, BLOCK, target, new WriteStatistics())) {
      for (long record = 0; record < shape.records(); record++) {
        records.next();
        byte[] key = records.key();
        byte[] value = records.value();
        int partition = KernelRecords.partition(key, shape.partitions());
        writer.write(partition, key, key.length, value, value.length);
      }
      writer.finish();
      target.commit();
    }
  }

  private void read(KernelShape shape, LocalFileStore store, int partition, KernelCheck check)
      throws IOException, InterruptedException {
    ShuffleReader.Settings settings =
        new ShuffleReader.Settings(shape.partitions(), SPILLS, codec(shape), null);
    try (TaskMemory memory = new TaskMemory(pool, shape.memoryBytes());
        ShuffleReader reader = new ShuffleReader(settings, memory, store, new FetchStatistics())) {
      List<HashRange> ranges = List.of(new HashRange(partition, partition + 1));
      reader.add(store.open(BLOCK, new ReadStatistics()), ranges, true, RunFilter.NOTHING);
      GroupReader groups = reader.groups();
      check.startPartition();
      while (groups.nextKey()) {
        ByteSlice key = groups.key();
        while (groups.nextValue()) {
          ByteSlice value = groups.value();
          check.inOrder(
              key.array(), key.start(), key.length(), value.array(), value.start(), value.length());
        }
      }
    }
  }
}
