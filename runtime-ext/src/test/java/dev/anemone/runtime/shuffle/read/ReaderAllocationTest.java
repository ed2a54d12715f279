// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.ProducedRun;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is allocated per record or per group. */
class ReaderAllocationTest {

  private static final int BLOCKS = 10;
  private static final int RECORDS = 20_000;
  private static final int VALUE_BYTES = 80;
  private static final int PAGES = 16;

  /** Not LZ4: outside the system class loader its library compresses in Java, and allocates. */
  private static final Codec SPILL_CODEC = Codec.ZSTD;

  @TempDir private Path directory;

  @Test
  void allocatesNearlyNothingPerRecord() throws Exception {
    LocalFileStore store = new LocalFileStore(directory);
    List<BlockId> blocks = new ArrayList<>();
    Random random = new Random(1);
    for (int block = 0; block < BLOCKS; block++) {
      BlockId id = new BlockId("job/producer_" + block);
      List<TestRecord> records = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        byte[] key = ByteBuffer.allocate(9).putLong(1, random.nextInt(RECORDS)).array();
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        records.add(TestRecord.of(0, key, value));
      }
      records.sort(TestRecord.BY_KEY);
      ProducedRun.write(
          store, id, List.of(List.of(new ProducedRun(new Producer(block, 0), Codec.LZ4, records))));
      blocks.add(id);
    }
    long bytes = (long) PAGES * PagePool.PAGE_BYTES;
    PagePool pool = new PagePool(bytes);
    byte[] last = new byte[VALUE_BYTES];
    RecordCombiner lastValue =
        (key, values, combined) -> {
          while (values.next()) {
            values.value().readNBytes(last, 0, VALUE_BYTES);
          }
          combined.write(last, 0, VALUE_BYTES);
        };
    List<IntFunction<RecordCombiner>> combiners = new ArrayList<>();
    combiners.add(null);
    combiners.add(tag -> lastValue);
    for (IntFunction<RecordCombiner> each : combiners) {
      for (boolean isMeasured : new boolean[] {false, true}) {
        TaskMemory memory = new TaskMemory(pool, bytes);
        FetchStatistics statistics = new FetchStatistics();
        long before = allocatedBytes();
        try (ShuffleReader reader =
            new ShuffleReader(
                new ShuffleReader.Settings(1, new BlockId("job/reader"), SPILL_CODEC, each),
                memory,
                store,
                statistics)) {
          for (BlockId id : blocks) {
            List<HashRange> one = List.of(new HashRange(0, 1));
            reader.add(store.open(id, new ReadStatistics()), one, false, RunFilter.NOTHING);
          }
          GroupReader groups = reader.groups();
          while (groups.nextKey()) {
            while (groups.nextValue()) {
              assertValue(groups);
            }
          }
        }
        long allocated = allocatedBytes() - before;
        assertThat(statistics.spills()).isPositive();
        if (isMeasured) {
          assertThat((double) allocated / (BLOCKS * RECORDS)).isLessThan(4);
        }
      }
    }
  }

  private static void assertValue(GroupReader groups) {
    if (groups.value().length() != VALUE_BYTES) {
      throw new AssertionError("a value of " + groups.value().length() + " bytes");
    }
  }

  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
