// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.ProducedRun;
import dev.anemone.runtime.shuffle.RandomRanges;
import dev.anemone.runtime.shuffle.RecordShape;
import dev.anemone.runtime.shuffle.TestGroups;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** What producers wrote is read as groups, whatever the memory. */
class ShuffleReaderTest {

  private static final BlockId SPILLS = new BlockId("job/consumer_3");
  private static final int MAX_BYTES = 2 << 20;
  private static final int COMBINED_TAG = 1;

  /** A producer that is dropped, and one whose part of a partition is another task's. */
  private static final RunFilter SKIPPED =
      (partition, producer) ->
          producer.attempt() % 2 == 1 || (partition % 4 == 1 && producer.task() == 2);

  private static Path directory;

  private final LocalFileStore store = new LocalFileStore(directory);
  private final List<BlockId> blocks = new ArrayList<>();

  @BeforeContainer
  static void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("shuffle-reader");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Property(tries = 20)
  void givesEveryRecordOfTheTaskOnceByPartitionAndKey(
      @ForAll RecordShape shape,
      @ForAll @IntRange(min = 1, max = 12) int blockCount,
      @ForAll @IntRange(min = 1, max = 20) int partitions,
      @ForAll @IntRange(min = 1, max = 8) int mostRuns,
      @ForAll boolean singleRuns,
      @ForAll @IntRange(min = 3, max = 10) int pages,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    List<HashRange> ranges = RandomRanges.of(partitions, random);
    List<TestRecord> expected = new ArrayList<>();
    long bytes = random.nextInt(MAX_BYTES) / blockCount;
    for (int block = 0; block < blockCount; block++) {
      List<TestRecord> records = shape.records(random, 1, bytes);
      writeBlock(records, partitions, singleRuns ? 1 : mostRuns, random, expected);
    }
    expected.removeIf(record -> !RandomRanges.contain(ranges, record.partition()));
    TaskMemory memory = memory(pages);
    FetchStatistics statistics = new FetchStatistics();
    try (ShuffleReader reader = reader(partitions, memory, statistics, null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), ranges, singleRuns, SKIPPED);
      }
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
    }
    assertThat(statistics.records()).isEqualTo(expected.size());
    assertThat(statistics.rawBytes())
        .isEqualTo(
            expected.stream()
                .mapToLong(r -> RecordFormat.size(r.key().capacity(), r.value().capacity()))
                .sum());
    assertNothingIsLeft(memory);
  }

  /** Distributes records over the runs of a block; what is not skipped is expected. */
  private void writeBlock(
      List<TestRecord> records,
      int partitions,
      int mostRuns,
      Random random,
      List<TestRecord> expected)
      throws Exception {
    List<List<ProducedRun>> block = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      List<ProducedRun> runs = new ArrayList<>();
      for (int run = 1 + random.nextInt(mostRuns); run > 0; run--) {
        Producer producer = new Producer(random.nextInt(3), random.nextInt(5) / 3);
        Codec codec = ProducedRun.anyCodec(random);
        runs.add(new ProducedRun(producer, codec, new ArrayList<>()));
      }
      block.add(runs);
    }
    for (TestRecord unhashed : records) {
      TestRecord record = unhashed.hashed(partitions);
      List<ProducedRun> runs = block.get(record.partition());
      ProducedRun run = runs.get(random.nextInt(runs.size()));
      run.records().add(record);
      if (!SKIPPED.skips(record.partition(), run.producer())) {
        expected.add(record);
      }
    }
    for (List<ProducedRun> runs : block) {
      runs.forEach(run -> run.records().sort(TestRecord.BY_KEY));
    }
    BlockId id = new BlockId("job/producer_" + blocks.size());
    ProducedRun.write(store, id, block);
    blocks.add(id);
  }

  @Property(tries = 15)
  void sumsStayRightWhenSpillsAreCombined(
      @ForAll Codec codec, @ForAll @IntRange(min = 3, max = 6) int pages, @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    int keys = 1 + random.nextInt(1_000);
    Map<ByteBuffer, Long> expected = new TreeMap<>();
    long written = 0;
    for (int block = 0; block < 10; block++) {
      List<TestRecord> records = new ArrayList<>();
      for (int left = random.nextInt(4_000); left > 0; left--) {
        byte tag = (byte) random.nextInt(3);
        byte[] key = key(tag, random.nextInt(keys));
        long number = random.nextInt(1_000);
        records.add(TestRecord.of(0, key, number(number)));
        expected.merge(ByteBuffer.wrap(key), number, Long::sum);
      }
      written += records.size();
      records.sort(TestRecord.BY_KEY);
      BlockId id = new BlockId("job/producer_" + block);
      blocks.add(id);
      ProducedRun.write(
          store, id, List.of(List.of(new ProducedRun(new Producer(block, 0), codec, records))));
    }
    TaskMemory memory = memory(pages);
    Map<ByteBuffer, Long> sums = new TreeMap<>();
    FetchStatistics statistics = new FetchStatistics();
    try (ShuffleReader reader =
        reader(1, memory, statistics, tag -> tag == COMBINED_TAG ? summing() : null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), List.of(new HashRange(0, 1)), false, RunFilter.NOTHING);
      }
      for (TestRecord record : TestGroups.read(reader.groups())) {
        sums.merge(record.key(), record.value().getLong(0), Long::sum);
      }
    }
    assertThat(sums).isEqualTo(expected);
    assertThat(statistics.records()).isLessThanOrEqualTo(written);
    assertNothingIsLeft(memory);
  }

  @Example
  void manyMoreSpillsThanPagesAreMergedInSeveralPasses() throws Exception {
    Random random = new Random(5);
    List<TestRecord> expected = new ArrayList<>();
    for (int block = 0; block < 30; block++) {
      writeBlock(RecordShape.LARGE.records(random, 1, 600_000), 1, 1, random, expected);
    }
    TaskMemory memory = memory(3);
    FetchStatistics statistics = new FetchStatistics();
    try (ShuffleReader reader = reader(1, memory, statistics, null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), List.of(new HashRange(0, 1)), false, SKIPPED);
      }
      long spills = statistics.spills();
      assertThat(spills).isGreaterThan(10);
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
      assertThat(statistics.spills()).isGreaterThan(spills);
    }
    assertNothingIsLeft(memory);
  }

  @Example
  void largeSingleRunsAreReadWhereTheyLie() throws Exception {
    Random random = new Random(6);
    List<TestRecord> expected = new ArrayList<>();
    for (int block = 0; block < 3; block++) {
      writeBlock(RecordShape.LARGE.records(random, 2, 3_000_000), 2, 1, random, expected);
    }
    TaskMemory memory = memory(10);
    FetchStatistics statistics = new FetchStatistics();
    try (ShuffleReader reader = reader(2, memory, statistics, null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), List.of(new HashRange(0, 2)), true, SKIPPED);
      }
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
    }
    assertThat(statistics.spills()).isZero();
    assertNothingIsLeft(memory);
  }

  @Example
  void thePartitionsOfABlockShareTheRoomToDecompressThem() throws Exception {
    int partitions = 50;
    Random random = new Random(7);
    List<TestRecord> expected = new ArrayList<>();
    for (int number = 0; number < 20; number++) {
      List<List<ProducedRun>> block = new ArrayList<>();
      for (int partition = 0; partition < partitions; partition++) {
        List<TestRecord> records = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          records.add(TestRecord.of(partition, number(random.nextLong()), new byte[200]));
        }
        records.sort(TestRecord.BY_KEY);
        expected.addAll(records);
        block.add(List.of(new ProducedRun(new Producer(number, 0), Codec.LZ4, records)));
      }
      blocks.add(new BlockId("job/producer_" + number));
      ProducedRun.write(store, blocks.get(number), block);
    }
    TaskMemory memory = memory(10);
    FetchStatistics statistics = new FetchStatistics();
    try (ShuffleReader reader = reader(partitions, memory, statistics, null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), List.of(new HashRange(0, partitions)), true, RunFilter.NOTHING);
      }
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
    }
    assertThat(statistics.rawBytes()).isGreaterThan(3 * memory.budgetBytes());
    assertThat(statistics.spills()).isZero();
    assertNothingIsLeft(memory);
  }

  @Example
  void refusesRangesThatAreNotInOrder() throws Exception {
    writeBlock(List.of(), 4, 1, new Random(8), new ArrayList<>());
    TaskMemory memory = memory(3);
    List<HashRange> ranges = List.of(new HashRange(2, 4), new HashRange(1, 2));
    try (ShuffleReader reader = reader(4, memory, new FetchStatistics(), null)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> reader.add(open(blocks.get(0)), ranges, true, SKIPPED))
          .withMessageContaining("in their order");
    }
    assertNothingIsLeft(memory);
  }

  @Example
  void valuesThatAreNotReadAreSkipped() throws Exception {
    List<TestRecord> records = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      records.add(TestRecord.of(0, new byte[] {(byte) (i / 10)}, new byte[] {(byte) i}));
    }
    BlockId id = new BlockId("job/producer_0");
    blocks.add(id);
    ProducedRun.write(
        store, id, List.of(List.of(new ProducedRun(new Producer(0, 0), Codec.NONE, records))));
    TaskMemory memory = memory(3);
    FetchStatistics statistics = new FetchStatistics();
    try (ShuffleReader reader = reader(1, memory, statistics, null)) {
      reader.add(open(id), List.of(new HashRange(0, 1)), false, RunFilter.NOTHING);
      GroupReader groups = reader.groups();
      for (int key = 0; key < 10; key++) {
        assertThat(groups.nextKey()).isTrue();
        assertThat(TestGroups.bytes(groups.key())).containsExactly(key);
        for (int read = 0; read < key; read++) {
          assertThat(groups.nextValue()).isTrue();
          assertThat(TestGroups.bytes(groups.value())).containsExactly(10 * key + read);
        }
      }
      assertThat(groups.nextKey()).isFalse();
      assertThat(groups.nextValue()).isFalse();
    }
    assertThat(statistics.records()).isEqualTo(100);
    assertNothingIsLeft(memory);
  }

  private ShuffleReader reader(
      int partitions,
      TaskMemory memory,
      FetchStatistics statistics,
      IntFunction<RecordCombiner> combiners)
      throws InterruptedException {
    return new ShuffleReader(
        new ShuffleReader.Settings(partitions, SPILLS, Codec.LZ4, combiners),
        memory,
        store,
        statistics);
  }

  private BlockReader open(BlockId id) throws IOException {
    return store.open(id, new ReadStatistics());
  }

  private static TaskMemory memory(int pages) {
    long bytes = (long) pages * PagePool.PAGE_BYTES;
    return new TaskMemory(new PagePool(bytes), bytes);
  }

  private void assertNothingIsLeft(TaskMemory memory) throws IOException {
    assertThat(memory.usedBytes()).isZero();
    assertThat(memory.peakBytes()).isLessThanOrEqualTo(memory.budgetBytes());
    for (BlockId id : blocks) {
      store.delete(id);
    }
    blocks.clear();
    assertThat(store.usedBytes()).isZero();
    try (Stream<Path> files = Files.walk(directory)) {
      assertThat(files.filter(Files::isRegularFile)).isEmpty();
    }
  }

  private static RecordCombiner summing() {
    return (key, values, combined) -> {
      long sum = 0;
      int count = 0;
      while (values.next()) {
        sum += new DataInputStream(values.value()).readLong();
        count++;
      }
      assertThat(count).isGreaterThan(1);
      new DataOutputStream(combined).writeLong(sum);
    };
  }

  /** A key that does not compress, whose first bytes are those of others. */
  private static byte[] key(byte tag, int number) {
    byte[] key = new byte[24];
    new Random(number).nextBytes(key);
    Arrays.fill(key, 0, 10, tag);
    return key;
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
