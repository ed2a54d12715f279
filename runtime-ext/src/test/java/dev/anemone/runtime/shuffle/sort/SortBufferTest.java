// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.memory.MemoryExhaustedException;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.RecordShape;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SortBufferTest {

  private static final int PAGES = 64;

  private final PagePool pool = new PagePool(PAGES * (long) PagePool.PAGE_BYTES);
  private final TaskMemory memory = new TaskMemory(pool, pool.maxBytes());

  @Property(tries = 40)
  void sortsByPartitionAndKey(
      @ForAll RecordShape shape,
      @ForAll @IntRange(min = 1, max = 3_000) int partitions,
      @ForAll @IntRange(min = 0, max = 300_000) int bytes,
      @ForAll long seed)
      throws Exception {
    List<TestRecord> records = smallOnes(shape.records(new Random(seed), partitions, bytes));
    assertThat(sort(records, partitions, true))
        .usingElementComparator(
            Comparator.comparing(TestRecord::partition).thenComparing(TestRecord.BY_KEY))
        .containsExactlyElementsOf(sorted(records, TestRecord.BY_KEY));
    assertThat(sorted(sort(records, partitions, true), TestRecord.BY_ALL))
        .isEqualTo(sorted(records, TestRecord.BY_ALL));
  }

  @Property(tries = 3)
  void sortsMoreRecordsThanOneGroupHolds(
      @ForAll @IntRange(min = 1, max = 300) int partitions, @ForAll long seed) throws Exception {
    Random random = new Random(seed);
    List<TestRecord> records = new ArrayList<>();
    RecordShape shape = random.nextBoolean() ? RecordShape.TINY : RecordShape.PREFIXED;
    for (int i = 0; i < 2 * SortEntries.GROUP + random.nextInt(1000); i++) {
      byte[] number = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
      records.add(TestRecord.of(random.nextInt(partitions), shape.key(random), number));
    }
    assertThat(sort(records, partitions, false))
        .isEqualTo(sorted(records, Comparator.comparing(record -> 0)));
    List<TestRecord> sorted = sort(records, partitions, true);
    assertThat(sorted)
        .isSortedAccordingTo(
            Comparator.comparing(TestRecord::partition).thenComparing(TestRecord.BY_KEY));
    assertThat(sorted(sorted, TestRecord.BY_ALL)).isEqualTo(sorted(records, TestRecord.BY_ALL));
  }

  @Property(tries = 40)
  void keepsTheOrderOfAPartitionWhenKeysDoNotCount(
      @ForAll RecordShape shape,
      @ForAll @IntRange(min = 1, max = 70_000) int partitions,
      @ForAll @IntRange(min = 0, max = 300_000) int bytes,
      @ForAll long seed)
      throws Exception {
    List<TestRecord> records = smallOnes(shape.records(new Random(seed), partitions, bytes));
    assertThat(sort(records, partitions, false))
        .isEqualTo(sorted(records, Comparator.comparing(record -> 0)));
  }

  @Test
  void hasNoRoomWhenMemoryIsUsedUpAndWorksOnInTheSamePages() throws Exception {
    byte[] value = new byte[1000];
    try (SortBuffer buffer = new SortBuffer(memory, 1, true)) {
      for (int round = 0; round < 3; round++) {
        int added = 0;
        while (add(buffer, TestRecord.of(0, new byte[0], value))) {
          added++;
        }
        assertThat(added).isGreaterThan((PAGES - 2) * PagePool.PAGE_BYTES / 1010);
        assertThat(memory.usedBytes()).isEqualTo(pool.maxBytes());
        buffer.clear();
        assertThat(memory.usedBytes()).isEqualTo(pool.maxBytes());
      }
    }
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void saysWhatMemoryIsForWhenThereIsNone() throws Exception {
    TaskMemory part = memory.part(PagePool.PAGE_BYTES);
    try (SortBuffer buffer = new SortBuffer(part, 1, true)) {
      assertThatThrownBy(() -> add(buffer, TestRecord.of(0, new byte[1], new byte[1])))
          .isInstanceOf(MemoryExhaustedException.class)
          .hasMessageContaining("sorting the output of a task");
    }
    assertThat(memory.usedBytes()).isZero();
  }

  private static List<TestRecord> smallOnes(List<TestRecord> records) {
    return records.stream()
        .filter(record -> !SortBuffer.isJumbo(record.value().capacity() + 100))
        .toList();
  }

  private static List<TestRecord> sorted(
      List<TestRecord> records, Comparator<TestRecord> inPartition) {
    return records.stream()
        .sorted(Comparator.comparing(TestRecord::partition).thenComparing(inPartition))
        .toList();
  }

  private static boolean add(SortBuffer buffer, TestRecord record) throws Exception {
    int keyLength = record.key().capacity();
    int valueLength = record.value().capacity();
    return buffer.add(
        record.partition(),
        record.key().array(),
        keyLength,
        record.value().array(),
        valueLength,
        (int) RecordFormat.size(keyLength, valueLength));
  }

  private List<TestRecord> sort(List<TestRecord> records, int partitions, boolean sorted)
      throws Exception {
    try (SortBuffer buffer = new SortBuffer(memory, partitions, sorted)) {
      for (TestRecord record : records) {
        assertThat(add(buffer, record)).isTrue();
      }
      List<TestRecord> result = new ArrayList<>();
      SortedRecords cursor = buffer.sort();
      while (cursor.nextPartition()) {
        int before = result.size();
        while (cursor.next()) {
          result.add(TestRecord.of(cursor.partition(), cursor));
        }
        assertThat(result.size()).isGreaterThan(before);
      }
      return result;
    } finally {
      assertThat(memory.usedBytes()).isZero();
    }
  }
}
