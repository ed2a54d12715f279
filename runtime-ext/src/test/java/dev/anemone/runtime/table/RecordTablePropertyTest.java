// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import static dev.anemone.runtime.table.TestTables.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.store.file.LocalFileStore;
import dev.anemone.runtime.table.TestTables.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** A table is what a sorted multimap is. */
class RecordTablePropertyTest {

  private static Path directory;

  @BeforeContainer
  static void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("tables");
  }

  @AfterContainer
  static void deleteDirectory() throws IOException {
    Files.deleteIfExists(directory.resolve("store"));
    Files.deleteIfExists(directory);
  }

  @Property(tries = 30)
  void lookupsAndPassesAgreeWithAMultimap(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = 4_000) int records,
      @ForAll @IntRange(min = 1, max = 4) int letters,
      @ForAll @IntRange(min = 0, max = 90) int keyLength,
      @ForAll @IntRange(min = 0, max = 2_000) int valueLength)
      throws IOException {
    Random random = new Random(seed);
    int shared = random.nextInt(keyLength + 1);
    String start = "\u0080".repeat(shared);
    TreeMap<String, List<String>> model = new TreeMap<>();
    List<Entry> entries = new ArrayList<>();
    int budget = 1 << 20;
    for (int i = 0; i < records && budget > 0; i++) {
      String key = random.nextInt(10) == 0 ? "" : start;
      key += letters(random, letters, random.nextInt(keyLength - shared + 1));
      String value = i + letters(random, 26, random.nextInt(valueLength + 1));
      entries.add(new Entry(key, value));
      model.computeIfAbsent(key, absent -> new ArrayList<>()).add(value);
      budget -= value.length();
    }
    TestTables tables = new TestTables(new LocalFileStore(directory.resolve("store")));
    try (RecordTable table = tables.of(entries)) {
      assertThat(table.size()).isEqualTo(entries.size());
      List<Entry> all = TestTables.entries(table.records());
      assertThat(all).extracting(Entry::key).isSorted();
      assertThat(sorted(all)).isEqualTo(sorted(entries));
      for (int i = 0; i < 60; i++) {
        String key =
            entries.isEmpty() || random.nextInt(4) == 0
                ? start + letters(random, letters + 1, random.nextInt(4))
                : entries.get(random.nextInt(entries.size())).key();
        long smaller = model.headMap(key).values().stream().mapToLong(List::size).sum();
        assertThat(table.rank(bytes(key))).isEqualTo(smaller);
        assertThat(TestTables.values(table.valuesOf(bytes(key))).stream().sorted().toList())
            .isEqualTo(model.getOrDefault(key, List.of()).stream().sorted().toList());
        int from = random.nextInt(entries.size() + 1);
        int to = Math.min(entries.size(), from + random.nextInt(20));
        assertThat(TestTables.entries(table.records(from, to))).isEqualTo(all.subList(from, to));
      }
    }
    assertThat(tables.takenBytes()).isZero();
    assertThat(tables.storedBytes()).isZero();
  }

  private static List<Entry> sorted(List<Entry> entries) {
    return entries.stream()
        .sorted(Comparator.comparing(Entry::key).thenComparing(Entry::value))
        .toList();
  }

  private static String letters(Random random, int alphabet, int length) {
    StringBuilder letters = new StringBuilder();
    for (int i = 0; i < length; i++) {
      letters.append((char) ('a' + random.nextInt(alphabet)));
    }
    return letters.toString();
  }
}
