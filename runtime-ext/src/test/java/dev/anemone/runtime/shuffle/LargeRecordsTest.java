// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.read.FetchStatistics;
import dev.anemone.runtime.shuffle.read.RecordStream;
import dev.anemone.runtime.shuffle.read.Segment;
import dev.anemone.runtime.shuffle.read.ShuffleReader;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that are larger than a page cost neither a file nor a buffer of their own size. */
class LargeRecordsTest {

  private static final BlockId BLOCK = new BlockId("job/task_0");
  private static final int PAGES = 8;
  private static final int PARTITIONS = 3;
  private static final long OTHER_DIRECT_BYTES = 4L << 20;

  private final WriteStatistics statistics = new WriteStatistics();
  private final TaskMemory memory = memory();

  @TempDir private Path directory;

  private static TaskMemory memory() {
    long bytes = (long) PAGES * PagePool.PAGE_BYTES;
    return new TaskMemory(new PagePool(bytes), bytes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyOfThemShareTheFilesOfAWriter(boolean sorted) throws Exception {
    int count = 200;
    byte[] value = new byte[300_000];
    new Random(1).nextBytes(value);
    try (BlockWriter block = begin();
        ShuffleWriter writer = writer(sorted, Codec.NONE, block)) {
      for (int i = 0; i < count; i++) {
        ByteBuffer.wrap(value).putInt(i);
        writer.write(i % PARTITIONS, key(i), 5, value, value.length);
        writer.write(i % PARTITIONS, key(i), 5, new byte[] {1}, 1);
      }
      writer.finish();
      block.commit();
    }
    assertThat(statistics.spills()).isLessThanOrEqualTo(2);
    assertThat(memory.usedBytes()).isZero();
    int[] next = {0, 1, 2};
    try (RecordStream records = stream()) {
      for (int i = 0; i < count; i++) {
        assertThat(records.next()).isTrue();
        int partition = ByteBuffer.wrap(bytes(records.key())).getInt(1) % PARTITIONS;
        int number = next[partition];
        next[partition] += PARTITIONS;
        assertThat(Arrays.equals(bytes(records.key()), key(number))).isTrue();
        ByteBuffer.wrap(value).putInt(number);
        assertThat(Arrays.equals(bytes(records.value()), value)).isTrue();
        assertThat(records.next()).isTrue();
        assertThat(records.value().length()).isEqualTo(1);
      }
      assertThat(records.next()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void aHugeOneGoesThroughTheTasksPages(Codec codec) throws Exception {
    byte[] value = new byte[60 << 20];
    Random random = new Random(2);
    for (int i = 0; i < value.length; i += 2) {
      value[i] = (byte) random.nextInt();
    }
    long before = directBytes();
    try (BlockWriter block = begin();
        ShuffleWriter writer = writer(true, codec, block)) {
      writer.write(1, key(2), 5, new byte[] {7}, 1);
      writer.write(1, key(1), 5, value, value.length);
      writer.write(1, key(1), 5, new byte[] {8}, 1);
      writer.finish();
      block.commit();
    }
    try (ShuffleReader reader =
        new ShuffleReader(
            new ShuffleReader.Settings(PARTITIONS, new BlockId("job/reader"), Codec.LZ4, null),
            memory,
            new LocalFileStore(directory),
            new FetchStatistics())) {
      reader.add(open(), List.of(new HashRange(0, PARTITIONS)), false, RunFilter.NOTHING);
      GroupReader groups = reader.groups();
      assertThat(groups.nextKey()).isTrue();
      assertThat(groups.nextValue()).isTrue();
      assertThat(Arrays.equals(bytes(groups.value()), value)).isTrue();
      assertThat(groups.nextValue()).isTrue();
      assertThat(bytes(groups.value())).containsExactly(8);
      assertThat(groups.nextValue()).isFalse();
      assertThat(groups.nextKey()).isTrue();
      assertThat(groups.nextValue()).isTrue();
      assertThat(bytes(groups.value())).containsExactly(7);
      assertThat(groups.nextKey()).isFalse();
    }
    assertThat(directBytes() - before).isLessThan(PAGES * PagePool.PAGE_BYTES + OTHER_DIRECT_BYTES);
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void oneThatIsNotReadIsPassedOver() throws Exception {
    byte[] value = new byte[1 << 20];
    try (BlockWriter block = begin();
        ShuffleWriter writer = writer(true, Codec.LZ4, block)) {
      writer.write(0, key(1), 5, value, value.length);
      writer.write(0, key(2), 5, new byte[] {7}, 1);
      writer.finish();
      block.commit();
    }
    try (ShuffleReader reader =
        new ShuffleReader(
            new ShuffleReader.Settings(PARTITIONS, new BlockId("job/reader"), Codec.LZ4, null),
            memory,
            new LocalFileStore(directory),
            new FetchStatistics())) {
      reader.add(open(), List.of(new HashRange(0, PARTITIONS)), true, RunFilter.NOTHING);
      GroupReader groups = reader.groups();
      assertThat(groups.nextKey()).isTrue();
      assertThat(groups.nextKey()).isTrue();
      assertThat(bytes(groups.key())).containsExactly(key(2));
      assertThat(groups.nextKey()).isFalse();
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private BlockWriter begin() throws IOException {
    return new LocalFileStore(directory).create(BLOCK, PARTITIONS, WriteOrder.BY_PARTITION);
  }

  private BlockReader open() throws IOException {
    return new LocalFileStore(directory).open(BLOCK, new ReadStatistics());
  }

  private ShuffleWriter writer(boolean sorted, Codec codec, BlockWriter block) {
    return ShuffleWriter.toBlock(
        new WriterSettings(PARTITIONS, sorted, codec, new Producer(0, 0), null),
        memory,
        new LocalFileStore(directory),
        BLOCK,
        block,
        statistics);
  }

  private RecordStream stream() throws Exception {
    Segment all = new Segment(open(), List.of(new HashRange(0, PARTITIONS)), RunFilter.NOTHING);
    return new RecordStream(List.of(all).iterator(), memory, new FetchStatistics());
  }

  private static byte[] key(int number) {
    return ByteBuffer.allocate(5).put((byte) 1).putInt(number).array();
  }

  private static byte[] bytes(ByteSlice slice) {
    return Arrays.copyOfRange(slice.array(), slice.start(), slice.start() + slice.length());
  }
}
