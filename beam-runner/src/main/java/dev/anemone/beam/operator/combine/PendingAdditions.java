// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.operator.combine.AccumulatorTable.Entry;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/**
 * Additions to a table that wait until there are {@value #MOST}, whose entries are then looked up
 * together: the processor waits for the memory of many of them at a time, where one by one it would
 * wait for each. Group prefetching of hash joins (Chen, Ailamaki, Gibbons and Mowry, ICDE 2004) is
 * the same. Only what is small waits, so that what waits is small, too. Not thread-safe.
 */
final class PendingAdditions {

  /** More gain nothing: the processor has fewer loads under way at a time. */
  private static final int MOST = 64;

  /** Of a key that waits: two lines of the processor's cache. */
  private static final int MOST_CHARACTERS = 128;

  private final AccumulatorTable table;
  private final BoundedWindow[] windows = new BoundedWindow[MOST];
  private final Object[] keys = new Object[MOST];
  private final Object[] structuralKeys = new Object[MOST];
  private final long[] tags = new long[MOST];
  private final Object[] values = new Object[MOST];
  private final Instant[] timestamps = new Instant[MOST];
  private final Entry[] entries = new Entry[MOST];
  private int size;

  PendingAdditions(AccumulatorTable table) {
    this.table = table;
  }

  /** Adds a value to the accumulator that an entry has, or is to have. */
  @FunctionalInterface
  interface Adder {

    /**
     * Adds the value.
     *
     * @param timestamp the value's
     * @return whether the table was emptied after it
     */
    boolean add(Entry entry, Object value, Instant timestamp) throws Exception;
  }

  /** Whether an addition takes little memory however long it waits. */
  static boolean isSmall(Object key, Object value) {
    return (isNumber(key) || isShortText(key)) && (value == null || isNumber(value));
  }

  private static boolean isShortText(Object key) {
    return key instanceof String text && text.length() <= MOST_CHARACTERS;
  }

  private static boolean isNumber(Object value) {
    return value instanceof Long || value instanceof Integer || value instanceof Double;
  }

  /**
   * Lets an addition wait.
   *
   * @return whether no other can wait before {@link #addAll} was called
   */
  boolean put(BoundedWindow window, Object key, Object value, Instant timestamp) {
    Object structuralKey = table.structuralKey(key);
    windows[size] = window;
    keys[size] = key;
    structuralKeys[size] = structuralKey;
    tags[size] = KeyTag.of(structuralKey);
    values[size] = value;
    timestamps[size] = timestamp;
    size++;
    return size == MOST;
  }

  /** Makes all additions that wait, in the order in which they came. */
  void addAll(Adder adder) throws Exception {
    for (int i = 0; i < size; i++) {
      entries[i] = table.likelyEntry(windows[i], tags[i]);
    }
    boolean found = true;
    for (int i = 0; i < size; i++) {
      Entry entry = found ? entries[i] : null;
      if (entry == null || !entry.isOf(windows[i], structuralKeys[i], tags[i])) {
        entry = table.entry(windows[i], keys[i], structuralKeys[i], tags[i]);
      }
      if (adder.add(entry, values[i], timestamps[i])) {
        // The others that were found are no longer in the table.
        found = false;
      }
    }
    size = 0;
  }
}
