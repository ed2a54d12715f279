// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.RecordShape;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.WrittenRuns;
import dev.anemone.runtime.shuffle.format.ChunkFormat;
import dev.anemone.runtime.shuffle.format.ChunkSink;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.spi.ValueCursor;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** What is written can be read again, whatever the memory. */
class ShuffleWriterTest {

  private static final BlockId BLOCK = new BlockId("job/task_7");
  private static final Producer PRODUCER = new Producer(7, 2);
  private static final int MAX_BYTES = 3 << 20;
  private static final int COMBINED_TAG = 1;

  private static Path directory;

  private final LocalFileStore store = new LocalFileStore(directory);

  @BeforeContainer
  static void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("shuffle-writer");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Property(tries = 25)
  void aBlockHoldsExactlyTheRecordsOfEachPartitionInOrder(
      @ForAll RecordShape shape,
      @ForAll Codec codec,
      @ForAll boolean sorted,
      @ForAll @IntRange(min = 1, max = 1_500) int partitions,
      @ForAll @IntRange(min = 4, max = 8) int pages,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    List<TestRecord> records = shape.records(random, partitions, random.nextInt(MAX_BYTES));
    TaskMemory memory = memory(pages);
    WriteStatistics statistics =
        writeBlock(settings(partitions, sorted, codec, null), memory, records);
    List<TestRecord> written = readBlock(partitions);
    assertThat(memory.usedBytes()).isZero();
    assertThat(memory.peakBytes()).isLessThanOrEqualTo(memory.budgetBytes());
    assertSameRecords(written, records, sorted);
    assertThat(statistics.records()).isEqualTo(records.size());
    assertThat(statistics.rawBytes())
        .isEqualTo(
            records.stream().mapToLong(r -> r.key().capacity() + r.value().capacity()).sum());
    assertThat(statistics.storedBytes()).isEqualTo(store.usedBytes());
    assertThat(statistics.spilledBytes() > 0).isEqualTo(statistics.spills() > 0);
    store.delete(BLOCK);
    assertThat(filesLeft()).isEmpty();
  }

  @Property(tries = 25)
  void aSinkGetsRunsWithExactlyTheRecordsOfEachPartition(
      @ForAll RecordShape shape,
      @ForAll Codec codec,
      @ForAll boolean sorted,
      @ForAll @IntRange(min = 1, max = 40) int partitions,
      @ForAll @IntRange(min = 3, max = 8) int pages,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    List<TestRecord> records = shape.records(random, partitions, random.nextInt(MAX_BYTES));
    TaskMemory memory = memory(pages);
    WriteStatistics statistics = new WriteStatistics();
    WrittenRuns sink = new WrittenRuns();
    ChunkSink checked =
        (partition, chunks, rawBytes) -> {
          assertThat(ChunkFormat.startsRun(chunks, chunks.position())).isTrue();
          sink.accept(partition, chunks, rawBytes);
        };
    try (ShuffleWriter writer =
        ShuffleWriter.toSink(
            settings(partitions, sorted, codec, null), memory, checked, statistics)) {
      write(writer, records);
      writer.finish();
    }
    assertThat(memory.usedBytes()).isZero();
    assertThat(memory.peakBytes()).isLessThanOrEqualTo(memory.budgetBytes());
    List<TestRecord> written = new ArrayList<>();
    for (WrittenRuns.Run run : sink.runs()) {
      List<TestRecord> ofRun = run.records(store);
      if (sorted) {
        assertThat(ofRun).isSortedAccordingTo(TestRecord.BY_KEY);
      }
      written.addAll(ofRun);
    }
    written.sort(Comparator.comparing(TestRecord::partition));
    if (sorted) {
      written.sort(Comparator.comparing(TestRecord::partition).thenComparing(TestRecord.BY_KEY));
    }
    assertSameRecords(written, records, sorted);
    assertThat(statistics.spills()).isZero();
    assertThat(store.usedBytes()).isZero();
  }

  @Property(tries = 15)
  void combinersSeeToOneRecordPerKeyWithTheRightSum(
      @ForAll Codec codec,
      @ForAll @IntRange(min = 1, max = 20) int partitions,
      @ForAll @IntRange(min = 4, max = 8) int pages,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    int keys = 1 + random.nextInt(20_000);
    List<TestRecord> records = new ArrayList<>();
    for (int left = random.nextInt(80_000); left > 0; left--) {
      int key = random.nextInt(keys);
      byte tag = (byte) (key % 2);
      byte[] keyBytes = ByteBuffer.allocate(5).put(tag).putInt(key).array();
      byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(random.nextLong()).array();
      records.add(TestRecord.of(key % partitions, keyBytes, value));
    }
    WriteStatistics statistics =
        writeBlock(
            settings(
                partitions,
                true,
                codec,
                tag -> tag == COMBINED_TAG ? ShuffleWriterTest::sum : null),
            memory(pages),
            records);
    List<TestRecord> written = readBlock(partitions);
    List<TestRecord> combined =
        written.stream().filter(r -> r.key().get(0) == COMBINED_TAG).toList();
    Map<ByteBuffer, Long> sums = new TreeMap<>();
    for (TestRecord record : records) {
      if (record.key().get(0) == COMBINED_TAG) {
        sums.merge(record.key(), record.value().getLong(0), Long::sum);
      }
    }
    assertThat(combined).hasSameSizeAs(sums.keySet());
    assertThat(
            combined.stream().collect(Collectors.toMap(TestRecord::key, r -> r.value().getLong(0))))
        .isEqualTo(sums);
    assertSameRecords(untouched(written), untouched(records), true);
    assertThat(statistics.combinedAway()).isEqualTo(records.size() - written.size());
    store.delete(BLOCK);
  }

  @Example
  void mergesInSeveralPassesWhenThereAreMoreSpillsThanPages() throws Exception {
    int pages = 4;
    List<TestRecord> records = RecordShape.PREFIXED.records(new Random(1), 5, 10 * MAX_BYTES / 3);
    TaskMemory memory = memory(pages);
    WriteStatistics statistics = writeBlock(settings(5, true, Codec.LZ4, null), memory, records);
    assertSameRecords(readBlock(5), records, true);
    long bufferBytes = (pages - 1L) * PagePool.PAGE_BYTES;
    assertThat(statistics.spills())
        .as("spills of buffers and of merges of three at a time")
        .isGreaterThan(statistics.rawBytes() / bufferBytes + 3);
    assertThat(memory.peakBytes()).isEqualTo(memory.budgetBytes());
    store.delete(BLOCK);
    assertThat(filesLeft()).isEmpty();
  }

  private static List<TestRecord> untouched(List<TestRecord> records) {
    return records.stream().filter(record -> record.key().get(0) != COMBINED_TAG).toList();
  }

  private static void sum(InputStream key, ValueCursor values, OutputStream combined)
      throws IOException {
    long sum = 0;
    while (values.next()) {
      sum += new DataInputStream(values.value()).readLong();
    }
    new DataOutputStream(combined).writeLong(sum);
  }

  private static TaskMemory memory(int pages) {
    long bytes = (long) pages * PagePool.PAGE_BYTES;
    return new TaskMemory(new PagePool(bytes), bytes);
  }

  private static WriterSettings settings(
      int partitions, boolean sorted, Codec codec, IntFunction<RecordCombiner> combiners) {
    return new WriterSettings(partitions, sorted, codec, PRODUCER, combiners);
  }

  private WriteStatistics writeBlock(
      WriterSettings settings, TaskMemory memory, List<TestRecord> records)
      throws IOException, InterruptedException {
    WriteStatistics statistics = new WriteStatistics();
    try (BlockWriter block = store.create(BLOCK, settings.partitions(), WriteOrder.BY_PARTITION);
        ShuffleWriter writer =
            ShuffleWriter.toBlock(settings, memory, store, BLOCK, block, statistics)) {
      write(writer, records);
      writer.finish();
      block.commit();
    }
    return statistics;
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

  private List<TestRecord> readBlock(int partitions) throws IOException, InterruptedException {
    List<TestRecord> records = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      records.addAll(
          WrittenRuns.readPartition(store.open(BLOCK, new ReadStatistics()), partition, partition));
    }
    return records;
  }

  /** Compares records by partition: in their order, or where sorted by key and as multisets. */
  private static void assertSameRecords(
      List<TestRecord> written, List<TestRecord> records, boolean sorted) {
    Comparator<TestRecord> byPartition = Comparator.comparing(TestRecord::partition);
    if (!sorted) {
      assertThat(written).isEqualTo(records.stream().sorted(byPartition).toList());
      return;
    }
    assertThat(written).isSortedAccordingTo(byPartition.thenComparing(TestRecord.BY_KEY));
    Comparator<TestRecord> byAll = byPartition.thenComparing(TestRecord.BY_ALL);
    assertThat(written.stream().sorted(byAll).toList())
        .isEqualTo(records.stream().sorted(byAll).toList());
  }

  private static List<Path> filesLeft() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
