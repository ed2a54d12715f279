// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.FailingStore;
import dev.anemone.runtime.shuffle.ProducedRun;
import dev.anemone.runtime.shuffle.RecordShape;
import dev.anemone.runtime.shuffle.TestGroups;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever fails, pages come back, spills go, and what could not be added is not there. */
class ShuffleReaderFailureTest {

  private static final Producer PRODUCER = new Producer(0, 0);
  private static final List<HashRange> ONE = List.of(new HashRange(0, 1));

  @TempDir private Path directory;

  private LocalFileStore store;

  private static TaskMemory memory(int pages) {
    long bytes = (long) pages * PagePool.PAGE_BYTES;
    return new TaskMemory(new PagePool(bytes), bytes);
  }

  private List<TestRecord> write(BlockId id, long seed, int bytes) throws Exception {
    if (store == null) {
      store = new LocalFileStore(directory);
    }
    List<TestRecord> records = RecordShape.LARGE.records(new Random(seed), 1, bytes);
    records.sort(TestRecord.BY_KEY);
    ProducedRun.write(store, id, List.of(List.of(new ProducedRun(PRODUCER, Codec.LZ4, records))));
    return records;
  }

  private static ShuffleReader reader(TaskMemory memory, FailingStore spills)
      throws InterruptedException {
    return new ShuffleReader(
        new ShuffleReader.Settings(1, new BlockId("job/reader"), Codec.LZ4, null),
        memory,
        spills,
        new FetchStatistics());
  }

  private static FailingStore failing(LocalFileStore store, long operations) {
    return new FailingStore(store, new FailingStore.FailureCountdown(operations));
  }

  @Test
  void nothingIsLeftWhicheverOperationOnTheSpillsFails() throws Exception {
    List<BlockId> blocks = new ArrayList<>();
    for (int block = 0; block < 6; block++) {
      BlockId id = new BlockId("job/producer_" + block);
      write(id, block, 300_000);
      blocks.add(id);
    }
    long stored = store.usedBytes();
    boolean failed = true;
    for (int operations = 0; failed; operations += 1 + operations / 6) {
      TaskMemory memory = memory(4);
      FailingStore spills = failing(store, operations);
      try (ShuffleReader reader = reader(memory, spills)) {
        for (BlockId id : blocks) {
          reader.add(store.open(id, new ReadStatistics()), ONE, false, RunFilter.NOTHING);
        }
        TestGroups.read(reader.groups());
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("the disk is gone");
      }
      failed = spills.countdown().hasFailed();
      assertThat(memory.usedBytes()).isZero();
      assertThat(store.usedBytes()).isEqualTo(stored);
      try (Stream<Path> files = Files.walk(directory)) {
        assertThat(files.filter(file -> file.toString().contains("spill"))).isEmpty();
      }
    }
  }

  @Test
  void aBlockThatFailedWhileItWasReadCanBeAddedAgain() throws Exception {
    BlockId before = new BlockId("job/before");
    BlockId block = new BlockId("job/producer");
    BlockId after = new BlockId("job/after");
    List<TestRecord> expected = new ArrayList<>(write(before, 1, 200_000));
    expected.addAll(write(block, 2, 2_500_000));
    expected.addAll(write(after, 3, 200_000));
    TaskMemory memory = memory(5);
    try (ShuffleReader reader = reader(memory, failing(store, Long.MAX_VALUE))) {
      reader.add(store.open(before, new ReadStatistics()), ONE, false, RunFilter.NOTHING);
      int failures = 0;
      boolean failed = true;
      for (int operations = 1; failed; operations += 1 + operations / 8) {
        FailingStore remote = failing(store, operations);
        try {
          reader.add(remote.open(block, new ReadStatistics()), ONE, false, RunFilter.NOTHING);
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("the disk is gone");
          failures++;
        }
        failed = remote.countdown().hasFailed();
      }
      assertThat(failures).isGreaterThan(5);
      reader.add(store.open(after, new ReadStatistics()), ONE, false, RunFilter.NOTHING);
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
    }
    assertThat(memory.usedBytes()).isZero();
    assertThat(memory.peakBytes()).isLessThanOrEqualTo(memory.budgetBytes());
  }

  @Test
  void refusesWhatItCannotDo() throws Exception {
    BlockId id = new BlockId("job/producer");
    write(id, 1, 1_000);
    FailingStore spills = failing(store, Long.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reader(memory(2), spills))
        .withMessageContaining("at least 786432 bytes of memory, not 524288");
    TaskMemory memory = memory(3);
    try (ShuffleReader reader = reader(memory, spills)) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(
              () ->
                  reader.add(
                      store.open(id, new ReadStatistics()),
                      List.of(new HashRange(0, 2)),
                      false,
                      RunFilter.NOTHING));
      reader.groups();
      assertThatIllegalStateException().isThrownBy(reader::groups);
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  reader.add(store.open(id, new ReadStatistics()), ONE, false, RunFilter.NOTHING));
    }
    assertThat(memory.usedBytes()).isZero();
  }
}
