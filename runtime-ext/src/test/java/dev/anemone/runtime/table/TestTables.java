// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.memory.MemoryLedger;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.spi.RecordCursor;
import dev.anemone.runtime.spi.RecordTable;
import dev.anemone.runtime.spi.ValueCursor;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.file.LocalFileStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tables of a test, in the least memory. */
final class TestTables {

  static final int CACHE_BYTES = 512 << 10;

  private final PagePool pool = new PagePool(2 * RecordTables.LEAST_BYTES);
  private final LocalFileStore store;
  private final RecordTables tables;
  private int made;

  TestTables(Path directory) {
    this(new LocalFileStore(directory));
  }

  TestTables(LocalFileStore store) {
    this.store = store;
    this.tables =
        new RecordTables(
            MemoryLedger.ofOneJob(pool, pool.maxBytes()),
            store,
            RecordTables.LEAST_BYTES,
            CACHE_BYTES);
  }

  /** A record. */
  record Entry(String key, String value) {}

  RecordTable.Builder begin() throws IOException {
    return tables.begin(new BlockId("table" + made++));
  }

  RecordTable of(List<Entry> entries) throws IOException {
    try (RecordTable.Builder builder = begin()) {
      for (Entry entry : entries) {
        add(builder, bytes(entry.key()), bytes(entry.value()));
      }
      return builder.build();
    }
  }

  static void add(RecordTable.Builder builder, byte[] key, byte[] value) throws IOException {
    builder.key().write(key);
    builder.value().write(value);
    builder.emit();
  }

  /** Bytes of pages that somebody has. */
  long takenBytes() {
    return pool.takenBytes();
  }

  long storedBytes() {
    return store.usedBytes();
  }

  /** One byte for each character. */
  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static List<Entry> entries(RecordCursor cursor) throws IOException {
    List<Entry> entries = new ArrayList<>();
    while (cursor.next()) {
      entries.add(
          new Entry(text(cursor.key().readAllBytes()), text(cursor.value().readAllBytes())));
    }
    return entries;
  }

  static List<String> values(ValueCursor cursor) throws IOException {
    List<String> values = new ArrayList<>();
    while (cursor.next()) {
      values.add(text(cursor.value().readAllBytes()));
    }
    return values;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
