package dev.anemone.runtime.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.spi.RecordCombiner;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.LocalFileStore;
import dev.anemone.runtime.store.ReadStatistics;
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
  void givesEveryKeyOnceInOrderWithAllItsValuesOfWhoIsNotDropped(
      @ForAll RecordShape shape,
      @ForAll @IntRange(min = 1, max = 12) int blockCount,
      @ForAll @IntRange(min = 1, max = 6) int partitions,
      @ForAll @IntRange(min = 1, max = 8) int mostRuns,
      @ForAll @IntRange(min = 3, max = 10) int pages,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    List<TestRecord> expected = new ArrayList<>();
    long bytes = random.nextInt(MAX_BYTES) / blockCount;
    for (int block = 0; block < blockCount; block++) {
      writeBlock(shape.records(random, partitions, bytes), partitions, mostRuns, random, expected);
    }
    TaskMemory memory = memory(pages);
    FetchStatistics statistics = new FetchStatistics();
    try (ShuffleReader reader = reader(memory, statistics, null)) {
      for (BlockId id : blocks) {
        int split = random.nextInt(partitions + 1);
        reader.add(open(id), 0, split, mostRuns == 1, ShuffleReaderTest::isDropped);
        reader.add(open(id), split, partitions, mostRuns == 1, ShuffleReaderTest::isDropped);
      }
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
    }
    assertThat(statistics.records()).isEqualTo(expected.size());
    assertNothingIsLeft(memory);
  }

  /** Distributes records over the runs of a block; what is not dropped is expected. */
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
    for (TestRecord record : records) {
      List<ProducedRun> runs = block.get(record.partition());
      ProducedRun run = runs.get(random.nextInt(runs.size()));
      TestRecord unpartitioned = new TestRecord(0, record.key(), record.value());
      run.records().add(unpartitioned);
      if (!isDropped(run.producer())) {
        expected.add(unpartitioned);
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
        reader(memory, statistics, tag -> tag == COMBINED_TAG ? summing() : null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), 0, 1, false, producer -> false);
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
    try (ShuffleReader reader = reader(memory, statistics, null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), 0, 1, false, ShuffleReaderTest::isDropped);
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
    try (ShuffleReader reader = reader(memory, statistics, null)) {
      for (BlockId id : blocks) {
        reader.add(open(id), 0, 2, true, ShuffleReaderTest::isDropped);
      }
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
    }
    assertThat(statistics.spills()).isZero();
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
    try (ShuffleReader reader = reader(memory, statistics, null)) {
      reader.add(open(id), 0, 1, false, producer -> false);
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

  private static boolean isDropped(Producer producer) {
    return producer.attempt() % 2 == 1;
  }

  private ShuffleReader reader(
      TaskMemory memory, FetchStatistics statistics, IntFunction<RecordCombiner> combiners)
      throws InterruptedException {
    return new ShuffleReader(
        new ShuffleReader.Settings(SPILLS, Codec.LZ4, combiners), memory, store, statistics);
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
