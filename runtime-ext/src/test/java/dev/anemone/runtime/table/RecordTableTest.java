// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import static dev.anemone.runtime.table.TestTables.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.runtime.shuffle.format.CorruptBlockException;
import dev.anemone.runtime.spi.RecordCursor;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.table.TestTables.Entry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordTableTest {

  /** More than the memory of a builder, several times. */
  private static final int SPILLING_RECORDS = 60_000;

  @TempDir private Path directory;
  private TestTables tables;

  @BeforeEach
  void begin() {
    tables = new TestTables(directory);
  }

  @Test
  void aTableWithoutRecordsIsEmpty() throws IOException {
    try (RecordTable table = tables.of(List.of())) {
      assertThat(table.size()).isZero();
      assertThat(table.rank(bytes(""))).isZero();
      assertThat(table.rank(bytes("a"))).isZero();
      assertThat(table.records().next()).isFalse();
      assertThat(table.valuesOf(bytes("a")).next()).isFalse();
    }
  }

  @Test
  void recordsAreInTheOrderOfTheirKeysAsUnsignedBytes() throws IOException {
    try (RecordTable table =
        tables.of(
            List.of(
                new Entry("\u00ff", "last"),
                new Entry("a", "2"),
                new Entry("", "first"),
                new Entry("ab", "3"),
                new Entry("a", "2")))) {
      assertThat(TestTables.entries(table.records()))
          .containsExactly(
              new Entry("", "first"),
              new Entry("a", "2"),
              new Entry("a", "2"),
              new Entry("ab", "3"),
              new Entry("\u00ff", "last"));
      assertThat(table.rank(bytes("a"))).isEqualTo(1);
      assertThat(table.rank(bytes("aa"))).isEqualTo(3);
      assertThat(TestTables.values(table.valuesOf(bytes("a")))).containsExactly("2", "2");
      assertThat(TestTables.values(table.valuesOf(bytes("b")))).isEmpty();
    }
  }

  @Test
  void moreThanMemoryIsSpilledAndMergedAndLeavesNothingButTheTable() throws IOException {
    try (RecordTable table = numbers()) {
      assertThat(tables.takenBytes()).isZero();
      assertThat(files()).hasSize(2);
      assertThat(table.size()).isEqualTo(SPILLING_RECORDS);
      RecordCursor cursor = table.records();
      for (int i = 0; i < SPILLING_RECORDS; i++) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key().readAllBytes()).isEqualTo(key(i));
      }
      assertThat(cursor.next()).isFalse();
      for (int i = 0; i < SPILLING_RECORDS; i += 7) {
        assertThat(table.rank(key(i))).isEqualTo(i);
        assertThat(TestTables.values(table.valuesOf(key(i)))).containsExactly(value(i));
      }
    }
    assertThat(tables.storedBytes()).isZero();
    assertThat(files()).isEmpty();
  }

  /** Numbers in a random order, each with a value that does not compress well. */
  private RecordTable numbers() throws IOException {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < SPILLING_RECORDS; i++) {
      order.add(i);
    }
    Collections.shuffle(order, new Random(1));
    try (RecordTable.Builder builder = tables.begin()) {
      for (int i : order) {
        TestTables.add(builder, key(i), bytes(value(i)));
      }
      return builder.build();
    }
  }

  private static byte[] key(int i) {
    return ByteBuffer.allocate(8).putInt(7).putInt(i).array();
  }

  private static String value(int i) {
    Random random = new Random(i);
    return Long.toString(random.nextLong(), 36).repeat(1 + random.nextInt(8));
  }

  @Test
  void theValuesOfOneKeyMayFillManyChunks() throws IOException {
    try (RecordTable.Builder builder = tables.begin()) {
      for (int i = 0; i < SPILLING_RECORDS; i++) {
        TestTables.add(builder, bytes("hot"), bytes(value(i)));
      }
      TestTables.add(builder, bytes("cold"), bytes("1"));
      TestTables.add(builder, bytes("warm"), bytes("2"));
      try (RecordTable table = builder.build()) {
        assertThat(TestTables.values(table.valuesOf(bytes("hot")))).hasSize(SPILLING_RECORDS);
        assertThat(TestTables.values(table.valuesOf(bytes("cold")))).containsExactly("1");
        assertThat(TestTables.values(table.valuesOf(bytes("warm")))).containsExactly("2");
        assertThat(table.rank(bytes("hos"))).isEqualTo(1);
        assertThat(table.rank(bytes("hot!"))).isEqualTo(1 + SPILLING_RECORDS);
        RecordCursor middle = table.records(30_000, 30_001);
        assertThat(middle.next()).isTrue();
        assertThat(middle.key().readAllBytes()).isEqualTo(bytes("hot"));
        assertThat(middle.next()).isFalse();
      }
    }
  }

  @Test
  void keysThatSeparatorsCannotTellApartAreFound() throws IOException {
    String common = "c".repeat(SparseIndex.MAX_SEPARATOR_BYTES);
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      entries.add(new Entry(common + String.format("%06d", i), value(i) + "v".repeat(60)));
    }
    entries.add(new Entry(common, "the start of all"));
    try (RecordTable table = tables.of(entries)) {
      assertThat(TestTables.values(table.valuesOf(bytes(common))))
          .containsExactly("the start of all");
      for (Entry entry : entries) {
        assertThat(TestTables.values(table.valuesOf(bytes(entry.key()))))
            .containsExactly(entry.value());
      }
      assertThat(table.rank(bytes(common + "9"))).isEqualTo(3_001);
    }
  }

  @Test
  void largeValuesHaveChunksOfTheirOwn() throws IOException {
    byte[] large = new byte[3 << 20];
    new Random(2).nextBytes(large);
    try (RecordTable.Builder builder = tables.begin()) {
      for (String key : List.of("c", "a", "b")) {
        TestTables.add(builder, bytes(key), large);
        TestTables.add(builder, bytes(key + "small"), bytes(key));
      }
      try (RecordTable table = builder.build()) {
        assertThat(table.size()).isEqualTo(6);
        for (String key : List.of("a", "b", "c")) {
          var cursor = table.valuesOf(bytes(key));
          assertThat(cursor.next()).isTrue();
          assertThat(cursor.value().readAllBytes()).isEqualTo(large);
          assertThat(cursor.next()).isFalse();
          assertThat(TestTables.values(table.valuesOf(bytes(key + "small")))).containsExactly(key);
        }
      }
    }
  }

  /** The one spill of the buffer is copied, not merged, in pieces that cut chunks. */
  @Test
  void aTableOfASingleLargeRecordIsCopiedFromItsSpill() throws IOException {
    byte[] large = new byte[1 << 20];
    new Random(3).nextBytes(large);
    try (RecordTable.Builder builder = tables.begin()) {
      TestTables.add(builder, bytes("only"), large);
      try (RecordTable table = builder.build()) {
        var cursor = table.records();
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key().readAllBytes()).isEqualTo(bytes("only"));
        assertThat(cursor.value().readAllBytes()).isEqualTo(large);
        assertThat(cursor.next()).isFalse();
      }
    }
  }

  @Test
  void aRangeThatIsNoneIsRefused() throws IOException {
    try (RecordTable table = tables.of(List.of(new Entry("a", "1")))) {
      assertThatThrownBy(() -> table.records(0, 2)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> table.records(1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void manyThreadsReadAtOnce() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try (RecordTable table = numbers()) {
      List<Future<Long>> sums = new ArrayList<>();
      for (int thread = 0; thread < 6; thread++) {
        int seed = thread;
        sums.add(threads.submit(() -> thread(table, seed)));
      }
      for (Future<Long> sum : sums) {
        assertThat(sum.get(30, TimeUnit.SECONDS)).isEqualTo(SPILLING_RECORDS + 500L);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static long thread(RecordTable table, int seed) throws IOException {
    Random random = new Random(seed);
    long found = 0;
    for (int i = 0; i < 500; i++) {
      int number = random.nextInt(SPILLING_RECORDS);
      found +=
          TestTables.values(table.valuesOf(key(number))).equals(List.of(value(number))) ? 1 : 0;
    }
    RecordCursor all = table.records();
    while (all.next()) {
      found++;
    }
    return found;
  }

  @Test
  void aThreadThatIsInterruptedHarmsNoOther() throws Exception {
    try (RecordTable table = numbers()) {
      assertThat(table.rank(key(1))).isEqualTo(1);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> TestTables.entries(table.records()))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(TestTables.entries(table.records())).hasSize(SPILLING_RECORDS);
    }
  }

  @Test
  void aByteThatIsNotWhatWasWrittenIsNoticed() throws IOException {
    try (RecordTable table = numbers()) {
      Path file = data();
      long position = Files.size(file) / 2;
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        ByteBuffer one = ByteBuffer.allocate(1);
        channel.read(one, position);
        one.put(0, (byte) (one.get(0) ^ 1)).flip();
        channel.write(one, position);
      }
      assertThat(TestTables.values(table.valuesOf(key(0)))).containsExactly(value(0));
      assertThatThrownBy(() -> TestTables.entries(table.records()))
          .isInstanceOf(CorruptBlockException.class)
          .hasMessageContaining("table0");
    }
  }

  @Test
  void whatIsLookedUpAgainIsNotReadAgain() throws IOException {
    try (RecordTable table = numbers()) {
      assertThat(TestTables.values(table.valuesOf(key(100)))).containsExactly(value(100));
      Files.write(data(), new byte[0]);
      assertThat(TestTables.values(table.valuesOf(key(100)))).containsExactly(value(100));
      assertThatThrownBy(() -> table.valuesOf(key(SPILLING_RECORDS / 2)))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aClosedTableSaysSo() throws IOException {
    RecordTable table = numbers();
    RecordCursor cursor = table.records();
    assertThat(cursor.next()).isTrue();
    table.close();
    table.close();
    assertThatThrownBy(
            () -> {
              while (cursor.next()) {
                cursor.key();
              }
            })
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void aBuilderThatIsAbandonedLeavesNothing() throws IOException {
    RecordTable.Builder builder = tables.begin();
    byte[] value = new byte[1_000];
    for (int i = 0; i < 5_000; i++) {
      new Random(i).nextBytes(value);
      TestTables.add(builder, key(i), value);
    }
    assertThat(files()).isNotEmpty();
    builder.close();
    assertThat(files()).isEmpty();
    assertThat(tables.takenBytes()).isZero();
  }

  @Test
  void tooLittleMemoryIsRefused() {
    assertThatThrownBy(() -> new RecordTables(null, null, RecordTables.LEAST_BYTES - 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least " + RecordTables.LEAST_BYTES);
  }

  private Path data() throws IOException {
    return files().stream().filter(file -> file.endsWith("file.out")).findFirst().orElseThrow();
  }

  private List<Path> files() throws IOException {
    try (var walk = Files.walk(directory)) {
      return walk.filter(Files::isRegularFile).toList();
    }
  }
}
