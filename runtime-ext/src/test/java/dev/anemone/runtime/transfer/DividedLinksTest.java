// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.clock.TaskClock;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.record.GroupReader;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.merge.WriterSettings;
import dev.anemone.runtime.shuffle.write.ShuffleWriter;
import dev.anemone.runtime.stage.Transfer;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.transfer.PartitionGatherer.LargePartitions;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.InputEvent;
import dev.anemone.runtime.transfer.announcement.LinkSources;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import dev.anemone.runtime.transfer.announcement.Source;
import dev.anemone.runtime.transfer.announcement.SourceFeed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Whoever reads what of a link: every record arrives where it should, and only there. */
class DividedLinksTest {

  private static final int KEYS = 2_000;
  private static final int VALUE_BYTES = 100;

  /** The key, its channel's tag, the value, and a byte for the length of either. */
  private static final int RECORD_BYTES = 1 + Integer.BYTES + VALUE_BYTES + 2;

  private static final int WRITER_PAGES = 8;
  private static final int MOST_PARTITIONS = 30;
  private static final LargePartitions ALL_LARGE = new LargePartitions(MOST_PARTITIONS, 0);
  private static final BlockId AGGREGATED = new BlockId("aggregated");

  private static Path directory;

  private final List<Written> written = new ArrayList<>();
  private final List<BlockAnnouncement> announced = new ArrayList<>();
  private final ByteSink key = new ByteSink();
  private final ByteSink value = new ByteSink();
  private long storedBytes;

  /** A record that was written: a number that is in its value, its partition, and by whom. */
  private record Written(long number, int partition, int producer) {}

  @BeforeContainer
  static void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("divided-links");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** None, all from the beginning, and a few, when they have grown. */
  @Provide
  Arbitrary<LargePartitions> largePartitions() {
    return Arbitraries.of(LargePartitions.NONE, ALL_LARGE, new LargePartitions(3, 100_000));
  }

  @Property(tries = 20)
  void everyRecordArrivesExactlyWhereItShould(
      @ForAll @IntRange(min = 1, max = 7) int producers,
      @ForAll @IntRange(min = 1, max = MOST_PARTITIONS) int partitions,
      @ForAll @IntRange(min = 1, max = 5) int tasks,
      @ForAll boolean grouped,
      @ForAll boolean aggregated,
      @ForAll boolean replicates,
      @ForAll("largePartitions") LargePartitions large,
      @ForAll long seed)
      throws Exception {
    assertArrival(producers, partitions, tasks, grouped, aggregated, replicates, large, seed);
  }

  @Property(tries = 10)
  void ofPartitionsInWhichProducersLieApartEachByteIsReadOnce(
      @ForAll @IntRange(min = 2, max = 7) int producers,
      @ForAll @IntRange(min = 2, max = 5) int tasks,
      @ForAll boolean grouped,
      @ForAll long seed)
      throws Exception {
    assertArrival(producers, MOST_PARTITIONS, tasks, grouped, true, false, ALL_LARGE, seed);
  }

  private void assertArrival(
      int producers,
      int partitions,
      int tasks,
      boolean grouped,
      boolean aggregated,
      boolean replicates,
      LargePartitions large,
      long seed)
      throws Exception {
    written.clear();
    announced.clear();
    storedBytes = 0;
    Random random = new Random(seed);
    Transfer transfer = grouped ? Transfer.GROUPED : Transfer.SPREAD;
    RandomDivision division = RandomDivision.of(partitions, tasks, replicates, random);
    TestLinks links =
        TestLinks.of(transfer, partitions, division.perTask(), division.divisions(), directory);
    if (aggregated) {
      writeAggregated(links, producers, large, random);
    } else {
      writeBlocks(links, producers, random);
    }
    long diskReadBytes = 0;
    for (int task = 0; task < tasks; task++) {
      int reader = task;
      long[] expected =
          written.stream()
              .filter(record -> division.reads(reader, record.partition(), record.producer()))
              .mapToLong(Written::number)
              .sorted()
              .toArray();
      TaskMemory memory = links.memory(3 + random.nextInt(6));
      try (LinkReader link =
          grouped
              ? new MergedLink(
                  links.reading(task),
                  links.link(),
                  sources(),
                  links.plane(),
                  memory,
                  Map.of(),
                  new TaskClock())
              : new StreamedLink(
                  links.reading(task),
                  links.link(),
                  sources(),
                  links.plane(),
                  memory,
                  new TaskClock())) {
        long[] read = (grouped ? merged((MergedLink) link) : streamed((StreamedLink) link));
        assertThat(read).isEqualTo(expected);
        assertThat(link.readBytes()).isEqualTo((long) read.length * RECORD_BYTES);
        diskReadBytes += link.counters().disk().diskReadBytes();
      }
      assertThat(memory.usedBytes()).isZero();
    }
    if (!replicates && (!aggregated || large.equals(ALL_LARGE))) {
      assertThat(diskReadBytes).isEqualTo(storedBytes);
    }
    for (BlockAnnouncement announcement : announced) {
      links.plane().localFiles().delete(announcement.block().orElseThrow());
    }
    assertThat(links.plane().localFiles().usedBytes()).isZero();
  }

  /** Each producer writes a block of its own, as over a link that is pulled. */
  private void writeBlocks(TestLinks links, int producers, Random random) throws Exception {
    long partitionBytes = 0;
    for (int task = 0; task < producers; task++) {
      TaskAttempt attempt = links.writing(task);
      BlockId id = new BlockId("producer_" + task);
      try (PullWriter writer =
          new PullWriter(
              partitioning(links),
              settings(links, attempt.producer()),
              links.memory(WRITER_PAGES),
              links.plane(),
              DataStore.LOCAL_FILE,
              links.plane().localFiles(),
              id,
              new TaskClock())) {
        for (int left = random.nextInt(6_000); left > 0; left--) {
          written.add(next(links, attempt.producer(), random));
          writer.write(key, value);
        }
        announced.add(writer.finish());
        partitionBytes += LongStream.of(writer.partitionBytes()).sum();
        storedBytes += writer.counters().written().storedBytes();
      }
    }
    assertThat(partitionBytes).isEqualTo((long) written.size() * RECORD_BYTES);
  }

  /** All producers write into one block, as an aggregation does; one has a dropped attempt. */
  private void writeAggregated(TestLinks links, int producers, LargePartitions large, Random random)
      throws Exception {
    int partitions = links.link().partitions();
    ProducerClasses classes;
    Producer dropped = new Producer(links.writing(0).producer().task(), 1);
    BitSet filled = new BitSet();
    try (BlockWriter block =
            links
                .plane()
                .localFiles()
                .create(AGGREGATED, large.storedPartitions(partitions), WriteOrder.ANY);
        TaskMemory memory = links.memory(1);
        PartitionGatherer gatherer = new PartitionGatherer(block, partitions, large, memory)) {
      for (int task = 0; task < producers; task++) {
        Producer producer = links.writing(task).producer();
        gatherer.flush();
        written.addAll(writeInto(gatherer, links, producer, random));
        if (task == 0) {
          assertThat(writeInto(gatherer, links, dropped, random)).isNotNull();
        }
      }
      BlockIndex index = block.commit();
      for (int partition = 0; partition < index.partitions(); partition++) {
        filled.set(partition, index.storedLength(partition) > 0);
      }
      classes = gatherer.classes();
      storedBytes = index.storedBytes();
    }
    announced.add(
        new BlockAnnouncement(
            new Producer(1_000, 0),
            Optional.of(AGGREGATED),
            DataStore.LOCAL_FILE,
            Optional.empty(),
            filled,
            false,
            true,
            List.of(),
            List.of(dropped),
            classes,
            0));
  }

  private List<Written> writeInto(
      PartitionGatherer gatherer, TestLinks links, Producer producer, Random random)
      throws Exception {
    List<Written> records = new ArrayList<>();
    try (TaskMemory memory = links.memory(WRITER_PAGES);
        ShuffleWriter shuffle =
            ShuffleWriter.toSink(
                settings(links, producer),
                memory,
                (partition, chunks, rawBytes) ->
                    gatherer.append(producer, partition, chunks, rawBytes),
                new WriteStatistics())) {
      PartitionedRecords writer = new PartitionedRecords(partitioning(links), shuffle);
      for (int left = random.nextInt(6_000); left > 0; left--) {
        records.add(next(links, producer, random));
        writer.write(key, value);
      }
      shuffle.finish();
    }
    return records;
  }

  /** Makes up a record, in {@link #key} and {@link #value}. */
  private Written next(TestLinks links, Producer producer, Random random) {
    byte[] bytes = new byte[VALUE_BYTES];
    random.nextBytes(bytes);
    key.reset();
    key.write(0);
    key.write(ByteBuffer.allocate(Integer.BYTES).putInt(random.nextInt(KEYS)).array(), 0, 4);
    value.reset();
    value.write(bytes, 0, VALUE_BYTES);
    return new Written(
        ByteBuffer.wrap(bytes).getLong(0),
        partitioning(links).partition(key, value),
        producer.task());
  }

  private static Partitioning partitioning(TestLinks links) {
    return Partitioning.of(links.link(), 0);
  }

  private static WriterSettings settings(TestLinks links, Producer producer) {
    boolean sorted = links.link().transfer() == Transfer.GROUPED;
    return new WriterSettings(links.link().partitions(), sorted, Codec.LZ4, producer, null);
  }

  private LinkSources sources() {
    SourceFeed feed =
        new SourceFeed(
            (source, version, loss, reason) -> {
              throw new AssertionError(source + " is said to be lost: " + reason);
            });
    for (int index = 0; index < announced.size(); index++) {
      BlockAnnouncement announcement = BlockAnnouncement.of(announced.get(index).toBytes());
      feed.add(new InputEvent.Announced(new Source("producer", index), 0, announcement));
    }
    return new LinkSources(announced.size(), feed, new BlockId("reader"));
  }

  /** The numbers in all values; checks that keys come by partition and key, and none twice. */
  private static long[] merged(MergedLink link) throws IOException, InterruptedException {
    LongStream.Builder numbers = LongStream.builder();
    GroupReader groups = link.open();
    int lastPartition = -1;
    byte[] lastKey = {};
    while (groups.nextKey()) {
      byte[] groupKey = bytes(groups.key());
      assertThat(groups.partition()).isGreaterThanOrEqualTo(lastPartition);
      if (groups.partition() == lastPartition) {
        assertThat(Arrays.compareUnsigned(lastKey, groupKey)).isNegative();
      }
      lastPartition = groups.partition();
      lastKey = groupKey;
      while (groups.nextValue()) {
        numbers.add(ByteBuffer.wrap(bytes(groups.value())).getLong(0));
      }
    }
    return numbers.build().sorted().toArray();
  }

  private static long[] streamed(StreamedLink link) throws IOException {
    LongStream.Builder numbers = LongStream.builder();
    while (link.next()) {
      numbers.add(ByteBuffer.wrap(bytes(link.value())).getLong(0));
    }
    return numbers.build().sorted().toArray();
  }

  private static byte[] bytes(ByteSlice slice) {
    return Arrays.copyOfRange(slice.array(), slice.start(), slice.start() + slice.length());
  }
}
