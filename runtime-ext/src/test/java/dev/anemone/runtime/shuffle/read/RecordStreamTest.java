// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.ProducedRun;
import dev.anemone.runtime.shuffle.RandomRanges;
import dev.anemone.runtime.shuffle.RecordShape;
import dev.anemone.runtime.shuffle.TestGroups;
import dev.anemone.runtime.shuffle.TestRecord;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

class RecordStreamTest {

  private static final RunFilter SKIPPED =
      (partition, producer) -> producer.task() == 1 || (partition == 2 && producer.task() == 0);

  private static Path directory;

  private final LocalFileStore store = new LocalFileStore(directory);

  @BeforeContainer
  static void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("record-stream");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Property(tries = 40)
  void givesTheRecordsOfAllSegmentsAsTheyWereWrittenThroughOnePage(
      @ForAll RecordShape shape,
      @ForAll @IntRange(max = 4) int blocks,
      @ForAll @IntRange(min = 1, max = 5) int partitions,
      @ForAll long seed)
      throws Exception {
    Random random = new Random(seed);
    List<TestRecord> expected = new ArrayList<>();
    List<Segment> segments = new ArrayList<>();
    for (int number = 0; number < blocks; number++) {
      List<HashRange> ranges = RandomRanges.of(partitions, random);
      List<List<ProducedRun>> block = new ArrayList<>();
      for (int partition = 0; partition < partitions; partition++) {
        List<ProducedRun> runs = new ArrayList<>();
        for (int run = random.nextInt(4); run > 0; run--) {
          Codec codec = ProducedRun.anyCodec(random);
          Producer producer = new Producer(random.nextInt(3), 0);
          List<TestRecord> records = shape.records(random, 1, random.nextInt(300_000));
          runs.add(new ProducedRun(producer, codec, records));
          if (RandomRanges.contain(ranges, partition) && !SKIPPED.skips(partition, producer)) {
            expected.addAll(records);
          }
        }
        block.add(runs);
      }
      BlockId id = new BlockId("job/producer_" + number);
      ProducedRun.write(store, id, block);
      segments.add(new Segment(store.open(id, new ReadStatistics()), ranges, SKIPPED));
    }
    TaskMemory memory = new TaskMemory(new PagePool(PagePool.PAGE_BYTES), PagePool.PAGE_BYTES);
    FetchStatistics statistics = new FetchStatistics();
    List<TestRecord> read = new ArrayList<>();
    try (RecordStream stream = new RecordStream(segments.iterator(), memory, statistics)) {
      while (stream.next()) {
        byte[] key = TestGroups.bytes(stream.key());
        read.add(TestRecord.of(0, key, TestGroups.bytes(stream.value())));
      }
      assertThat(stream.next()).isFalse();
    }
    assertThat(read).isEqualTo(expected);
    assertThat(statistics.records()).isEqualTo(expected.size());
    assertThat(statistics.rawBytes())
        .isEqualTo(
            expected.stream()
                .mapToLong(r -> RecordFormat.size(r.key().capacity(), r.value().capacity()))
                .sum());
    assertThat(memory.usedBytes()).isZero();
  }
}
