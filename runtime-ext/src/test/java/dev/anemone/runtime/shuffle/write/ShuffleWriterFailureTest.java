// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.anemone.runtime.memory.MemoryExhaustedException;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.FailingStore;
import dev.anemone.runtime.shuffle.RecordShape;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left when writing fails, what is refused, and what writing costs the heap. */
class ShuffleWriterFailureTest {

  private static final BlockId BLOCK = new BlockId("job/task_0");
  private static final int PAGES = 4;
  private static final int PARTITIONS = 3;

  private final TaskMemory memory = memory(PAGES);
  private final WriteStatistics statistics = new WriteStatistics();

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void leavesNothingWhereverTheDiskFails(boolean sorted) throws Exception {
    List<TestRecord> records =
        RecordShape.JUMBO.records(new Random(3), PARTITIONS, 5L * PagePool.PAGE_BYTES);
    LocalFileStore files = new LocalFileStore(directory);
    int operations = 0;
    boolean failed = true;
    while (failed) {
      FailingStore.FailureCountdown countdown = new FailingStore.FailureCountdown(operations);
      FailingStore store = new FailingStore(files, countdown);
      try (BlockWriter block = store.create(BLOCK, PARTITIONS, WriteOrder.BY_PARTITION);
          ShuffleWriter writer =
              ShuffleWriter.toBlock(
                  settings(sorted, Codec.LZ4), memory, store, BLOCK, block, statistics)) {
        write(writer, records);
        writer.finish();
        block.commit();
      } catch (IOException e) {
        assertThat(e).hasMessage("the disk is gone").hasNoSuppressedExceptions();
      }
      failed = countdown.hasFailed();
      operations++;
      assertThat(memory.usedBytes()).isZero();
      if (failed) {
        assertThat(filesLeft()).isEmpty();
      }
    }
    assertThat(operations).isGreaterThan(20);
    assertThat(filesLeft()).allMatch(file -> file.startsWith(directory.resolve(BLOCK.path())));
    assertThat(filesLeft()).noneMatch(file -> file.toString().contains("spill"));
  }

  @Test
  void givesMemoryBackWhenTheSinkFails() {
    List<TestRecord> records =
        RecordShape.PREFIXED.records(new Random(3), PARTITIONS, 9L * PagePool.PAGE_BYTES);
    FailingStore.FailureCountdown countdown = new FailingStore.FailureCountdown(2);
    ChunkSink sink =
        (partition, chunks, rawBytes) -> {
          countdown.operate();
          chunks.position(chunks.limit());
        };
    assertThatThrownBy(
            () -> {
              try (ShuffleWriter writer =
                  ShuffleWriter.toSink(settings(true, Codec.ZSTD), memory, sink, statistics)) {
                write(writer, records);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessage("the disk is gone");
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void givesMemoryBackWhenItIsClosedUnfinished() throws Exception {
    LocalFileStore store = new LocalFileStore(directory);
    try (BlockWriter block = store.create(BLOCK, PARTITIONS, WriteOrder.BY_PARTITION);
        ShuffleWriter writer =
            ShuffleWriter.toBlock(
                settings(true, Codec.NONE), memory, store, BLOCK, block, statistics)) {
      write(writer, RecordShape.TINY.records(new Random(3), PARTITIONS, 9L * PagePool.PAGE_BYTES));
      assertThat(statistics.spills()).isPositive();
      writer.close();
      writer.close();
      assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
    }
    assertThat(memory.usedBytes()).isZero();
    assertThat(filesLeft()).isEmpty();
  }

  @Test
  void aWriterWithoutRecordsTakesNoMemory() throws Exception {
    try (ShuffleWriter writer = toNowhere(memory)) {
      writer.finish();
    }
    assertThat(memory.peakBytes()).isZero();
  }

  @Test
  void refusesAPartitionThatThereIsNot() throws Exception {
    try (ShuffleWriter writer = toNowhere(memory)) {
      assertThatThrownBy(() -> writer.write(PARTITIONS, new byte[1], 1, new byte[1], 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("no partition 3: there are 3");
      assertThatThrownBy(() -> writer.write(-1, new byte[1], 1, new byte[1], 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void refusesABudgetInWhichItCannotWork() {
    assertThatThrownBy(() -> toNowhere(memory(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a shuffle writer needs at least 786432 bytes of memory, not 524288");
  }

  @Test
  void saysWhatMemoryWasForWhenOthersHaveIt() throws Exception {
    ByteBuffer others = memory.take("others");
    ByteBuffer more = memory.take("others");
    try (ShuffleWriter writer = toNowhere(memory)) {
      assertThatThrownBy(() -> writer.write(0, new byte[1], 1, new byte[1], 1))
          .isInstanceOf(MemoryExhaustedException.class)
          .hasMessageContaining("sorting the output of a task");
    }
    memory.giveBack(others);
    memory.giveBack(more);
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void refusesToWriteAfterTheEnd() throws Exception {
    ShuffleWriter writer = toNowhere(memory);
    writer.finish();
    assertThatThrownBy(() -> writer.write(0, new byte[1], 1, new byte[1], 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has ended");
    assertThatThrownBy(writer::finish).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void allocatesNothingPerRecord(Codec codec) throws Exception {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int count = 1_000_000;
    byte[] value = new byte[12];
    byte[] key = new byte[16];
    ByteBuffer keyWords = ByteBuffer.wrap(key);
    LocalFileStore store = new LocalFileStore(directory);
    TaskMemory large = memory(48);
    long allocated = Long.MAX_VALUE;
    for (int round = 0; round < 2; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      try (BlockWriter block = store.create(BLOCK, 4, WriteOrder.BY_PARTITION);
          ShuffleWriter writer =
              ShuffleWriter.toBlock(
                  new WriterSettings(4, true, codec, new Producer(0, 0), null),
                  large,
                  store,
                  BLOCK,
                  block,
                  statistics)) {
        long state = 1;
        for (int i = 0; i < count; i++) {
          state = state * 6364136223846793005L + 1442695040888963407L;
          keyWords.putLong(0, state);
          writer.write((int) (state >>> 62), key, 10, value, 12);
        }
        writer.finish();
        block.commit();
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - before;
    }
    assertThat(statistics.spills()).isPositive();
    assertThat(allocated).as("bytes for %s records", count).isLessThan(count);
  }

  private ShuffleWriter toNowhere(TaskMemory writerMemory) {
    ChunkSink sink = (partition, chunks, rawBytes) -> chunks.position(chunks.limit());
    return ShuffleWriter.toSink(settings(true, Codec.NONE), writerMemory, sink, statistics);
  }

  private static TaskMemory memory(int pages) {
    long bytes = (long) pages * PagePool.PAGE_BYTES;
    return new TaskMemory(new PagePool(bytes), bytes);
  }

  private static WriterSettings settings(boolean sorted, Codec codec) {
    return new WriterSettings(PARTITIONS, sorted, codec, new Producer(0, 0), null);
  }

  private static void write(ShuffleWriter writer, List<TestRecord> records)
      throws IOException, InterruptedException {
    for (TestRecord record : records) {
      writer.write(
          record.partition(),
          record.key().array(),
          record.key().capacity(),
          record.value().array(),
          record.value().capacity());
    }
  }

  private List<Path> filesLeft() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
