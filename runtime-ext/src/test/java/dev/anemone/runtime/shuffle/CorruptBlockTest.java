// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.TaskMemory;
import dev.anemone.runtime.shuffle.format.ChunkFormat;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.CorruptBlockException;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.shuffle.format.RunFilter;
import dev.anemone.runtime.shuffle.merge.BlockRunCursor;
import dev.anemone.runtime.shuffle.read.FetchStatistics;
import dev.anemone.runtime.shuffle.read.RecordStream;
import dev.anemone.runtime.shuffle.read.Segment;
import dev.anemone.runtime.shuffle.read.ShuffleReader;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.ReadStatistics;
import dev.anemone.runtime.store.WriteOrder;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that are wrong never become records, and a good block can take their place. */
class CorruptBlockTest {

  private static final BlockId GOOD = new BlockId("job/good");
  private static final BlockId BAD = new BlockId("job/bad");
  private static final BlockId BEFORE = new BlockId("job/before");
  private static final Producer PRODUCER = new Producer(1, 0);
  private static final int PARTITIONS = 2;
  private static final List<HashRange> ALL = List.of(new HashRange(0, PARTITIONS));
  private static final int SPARSE = 1_009;

  private final Random random = new Random(3);
  private final TaskMemory memory =
      new TaskMemory(new PagePool(6 * PagePool.PAGE_BYTES), 6 * PagePool.PAGE_BYTES);

  private LocalFileStore store;

  @BeforeEach
  void makeStore(@TempDir Path directory) {
    store = new LocalFileStore(directory);
  }

  @ParameterizedTest
  @EnumSource
  void aFlippedBitIsFoundAndTheBlockCanBeReplaced(Codec codec) throws Exception {
    List<TestRecord> expected = new ArrayList<>(write(BEFORE, codec, 2_000));
    expected.addAll(write(GOOD, codec, 1_500));
    byte[] good = bytes(GOOD);
    try (ShuffleReader reader = reader()) {
      add(reader, BEFORE);
      for (int position : positions(good)) {
        byte[] bad = good.clone();
        bad[position] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        store(bad);
        assertThatExceptionOfType(CorruptBlockException.class)
            .as("bit of byte %d", position)
            .isThrownBy(() -> add(reader, BAD))
            .satisfies(e -> assertThat(e.blockId()).isEqualTo(BAD))
            .withMessageContaining("partition 1");
      }
      add(reader, GOOD);
      TestGroups.assertSame(TestGroups.read(reader.groups()), expected);
    }
    assertThat(memory.usedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aFlippedBitIsFoundWhereARunIsStreamed(Codec codec) throws Exception {
    write(GOOD, codec, 1_500);
    byte[] good = bytes(GOOD);
    for (int position : positions(good)) {
      byte[] bad = good.clone();
      bad[position] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      store(bad);
      try (PartitionedRun run = new BlockRunCursor(open(BAD), 1, memory)) {
        assertThat(run.nextPartition()).isTrue();
        assertThatExceptionOfType(CorruptBlockException.class)
            .as("bit of byte %d", position)
            .isThrownBy(
                () -> {
                  while (run.next()) {
                    assertThat(run.recordEnd()).isPositive();
                  }
                });
      }
    }
    assertThat(memory.usedBytes()).isZero();
  }

  @Test
  void aFlippedBitIsFoundInALargeChunk() throws Exception {
    byte[] value = new byte[6 << 20];
    random.nextBytes(value);
    ProducedRun.write(
        store,
        GOOD,
        List.of(List.of(), List.of(run(Codec.LZ4, List.of(record(new byte[1], value))))));
    byte[] good = bytes(GOOD);
    for (int position : new int[] {0, 4, 8, 9, 14, 20, 30, 5 << 20, good.length - 1}) {
      byte[] bad = good.clone();
      bad[position] ^= 1;
      store(bad);
      assertCorrupt();
    }
  }

  @Test
  void aPartitionThatEndsEarlyIsCorrupt() throws Exception {
    write(GOOD, Codec.NONE, 1_500);
    byte[] good = bytes(GOOD);
    for (int length : new int[] {1, 23, 24, 1_000, good.length - 1}) {
      store(Arrays.copyOf(good, length));
      assertCorrupt().hasMessageContaining("ended early");
    }
  }

  @Test
  void impossibleHeadersAreCorruptWhateverTheirChecksum() throws Exception {
    int[][] rawAndStored = {
      {-1, -1}, {Integer.MIN_VALUE, 8}, {Integer.MAX_VALUE, 8}, {8, 9}, {8, -8}, {900_000_000, 8},
    };
    for (Codec codec : Codec.values()) {
      for (int[] lengths : rawAndStored) {
        ByteBuffer chunk = ByteBuffer.allocate(ChunkFormat.HEADER_BYTES + 8);
        ChunkFormat.writeHeader(chunk, 0, true, false, codec, 8, 8, PRODUCER, new CRC32C());
        chunk.putInt(4, lengths[0]).putInt(8, lengths[1]);
        CRC32C crc = new CRC32C();
        crc.update(chunk.array(), 0, 20);
        crc.update(chunk.array(), 24, 8);
        store(chunk.putInt(20, (int) crc.getValue()).array());
        assertCorrupt();
      }
    }
  }

  @Test
  void recordsThatDoNotFitIntoTheirChunkAreCorrupt() throws Exception {
    byte[][] payloads = {
      {5},
      {1, 1, 0},
      {(byte) 0x81, 1},
      {0, 0, 127, 127, 1, 2},
      {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
      {-1, -1, -1, -1, 15, 0, 0},
    };
    for (byte[] payload : payloads) {
      store(chunk(payload).array());
      assertCorrupt().hasMessageContaining("a record that does not fit");
    }
  }

  @Test
  void theMessageNamesThePartitionAlsoWhereSeveralAreOneRun() throws Exception {
    try (BlockWriter block = store.create(BAD, PARTITIONS, WriteOrder.BY_PARTITION)) {
      block.append(0, chunk(new byte[] {1, 0, 7}), 3);
      block.append(1, chunk(new byte[] {5}), 1);
      block.commit();
    }
    try (ShuffleReader reader = reader()) {
      add(reader, BAD);
      assertThatExceptionOfType(CorruptBlockException.class)
          .isThrownBy(() -> TestGroups.read(reader.groups()))
          .withMessageContaining("the chunk at byte 0 of partition 1 has a record");
    }
  }

  private static ByteBuffer chunk(byte[] payload) {
    ByteBuffer chunk = ByteBuffer.allocate(ChunkFormat.HEADER_BYTES + payload.length);
    chunk.put(ChunkFormat.HEADER_BYTES, payload);
    ChunkFormat.writeHeader(
        chunk, 0, true, false, Codec.NONE, payload.length, payload.length, PRODUCER, new CRC32C());
    return chunk;
  }

  private AbstractThrowableAssert<?, ?> assertCorrupt() throws Exception {
    try (ShuffleReader reader = reader()) {
      Throwable fetched =
          catchThrowable(
              () -> {
                add(reader, BAD);
                TestGroups.read(reader.groups());
              });
      assertThat(fetched).isInstanceOf(CorruptBlockException.class);
    }
    Throwable streamed;
    try (RecordStream stream =
        new RecordStream(
            List.of(new Segment(open(BAD), ALL, RunFilter.NOTHING)).iterator(),
            memory,
            new FetchStatistics())) {
      streamed =
          catchThrowable(
              () -> {
                while (stream.next()) {
                  assertThat(stream.key().length()).isNotNegative();
                }
              });
    }
    assertThat(memory.usedBytes()).isZero();
    return assertThat(streamed).isInstanceOf(CorruptBlockException.class);
  }

  private List<TestRecord> write(BlockId id, Codec codec, int count) throws Exception {
    List<TestRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[8];
      random.nextBytes(key);
      byte[] value = new byte[100];
      random.nextBytes(value);
      Arrays.fill(value, 50, 100, (byte) 0);
      records.add(record(key, value));
    }
    records.sort(TestRecord.BY_KEY);
    List<TestRecord> half = records.subList(0, count / 2);
    List<TestRecord> rest = records.subList(count / 2, count);
    ProducedRun.write(store, id, List.of(List.of(), List.of(run(codec, half), run(codec, rest))));
    return records;
  }

  private static TestRecord record(byte[] key, byte[] value) {
    return TestRecord.of(1, key, value);
  }

  private static ProducedRun run(Codec codec, List<TestRecord> records) {
    return new ProducedRun(PRODUCER, codec, records);
  }

  /** All bytes of the first chunk's header, some of the rest, and the last. */
  private static List<Integer> positions(byte[] bytes) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < bytes.length; i += i < 40 ? 1 : SPARSE) {
      positions.add(i);
    }
    positions.add(bytes.length - 1);
    return positions;
  }

  private byte[] bytes(BlockId id) throws IOException {
    try (BlockReader block = open(id)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) block.index().storedLength(1));
      block.read(1, 0, bytes);
      return bytes.array();
    }
  }

  private void store(byte[] bad) throws IOException {
    store.delete(BAD);
    try (BlockWriter block = store.create(BAD, PARTITIONS, WriteOrder.BY_PARTITION)) {
      block.append(1, ByteBuffer.wrap(bad), bad.length);
      block.commit();
    }
  }

  private BlockReader open(BlockId id) throws IOException {
    return store.open(id, new ReadStatistics());
  }

  private ShuffleReader reader() throws InterruptedException {
    return new ShuffleReader(
        new ShuffleReader.Settings(PARTITIONS, new BlockId("job/reader"), Codec.NONE, null),
        memory,
        store,
        new FetchStatistics());
  }

  private void add(ShuffleReader reader, BlockId id) throws Exception {
    reader.add(open(id), ALL, false, RunFilter.NOTHING);
  }
}
