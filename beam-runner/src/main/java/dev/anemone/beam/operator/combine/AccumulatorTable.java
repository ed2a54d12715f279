// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.joda.time.Instant;

/**
 * Accumulators by window and key, with an estimate of the memory they take. Keys are equal when
 * their coder says so, which is what {@link Coder#structuralValue} is for.
 *
 * <p>The hash table is an own one, because a lookup for each element is most of what combining
 * costs: here it touches a slot, its tag and an entry, where a map of the JDK has a node between
 * them and compares the keys.
 *
 * <p>Accumulators may grow, and nobody tells by how much. So the table measures, at intervals that
 * grow with the number of additions, the encoded size of a sample of its entries and of the entry
 * that was just added to: an entry that grows large is one that is often added to.
 */
final class AccumulatorTable {

  /** Memory of an entry, its slots and tags and the headers of key and accumulator, in bytes. */
  private static final int ENTRY_BYTES = 192;

  /** Objects take about this many times the memory of their encoding. */
  private static final int OBJECT_FACTOR = 4;

  private static final int FIRST_SLOTS = 1024;
  private static final int SAMPLE = 16;
  private static final int FIRST_MEASURE = 16;

  private final Coder<Object> keyCoder;
  private final Coder<Object> accumulatorCoder;
  private final long memoryBytes;
  private final List<Entry> entries = new ArrayList<>();

  /**
   * A hash table with linear probing; its length is a power of two, at most half are taken. The tag
   * of an entry's key is at the entry's place in {@link #tags}.
   */
  private Entry[] slots = new Entry[FIRST_SLOTS];

  private long[] tags = new long[FIRST_SLOTS];

  private BoundedWindow lastWindow;
  private int lastWindowHash;

  private long additions;
  private long nextMeasure = FIRST_MEASURE;
  private long largestBytes;
  private long sampledBytes;

  /** A table that is full at {@code memoryBytes} bytes of heap. */
  @SuppressWarnings("unchecked") // the pipeline's coders code its keys and accumulators
  AccumulatorTable(Coder<?> keyCoder, Coder<?> accumulatorCoder, long memoryBytes) {
    this.keyCoder = (Coder<Object>) keyCoder;
    this.accumulatorCoder = (Coder<Object>) accumulatorCoder;
    this.memoryBytes = memoryBytes;
  }

  /** An accumulator and what it belongs to. */
  static final class Entry {

    private final int hash;
    private final Object structuralKey;
    private final Object key;
    private final BoundedWindow window;
    private Object accumulator;
    private Instant timestamp;
    private boolean isNew = true;

    private Entry(int hash, Object structuralKey, Object key, BoundedWindow window) {
      this.hash = hash;
      this.structuralKey = structuralKey;
      this.key = key;
      this.window = window;
    }

    /** Whether it is of a key that has the same tag. */
    boolean isOf(BoundedWindow ofWindow, Object ofStructuralKey, long tag) {
      return (window == ofWindow || window.equals(ofWindow))
          && (KeyTag.isKey(tag) || Objects.equals(structuralKey, ofStructuralKey));
    }

    Object key() {
      return key;
    }

    BoundedWindow window() {
      return window;
    }

    /** Whether no accumulator has been set yet. */
    boolean isNew() {
      return isNew;
    }

    Object accumulator() {
      return accumulator;
    }

    void setAccumulator(Object newAccumulator) {
      accumulator = newAccumulator;
      isNew = false;
    }

    /** The combined timestamp, null if there is none yet. */
    Instant timestamp() {
      return timestamp;
    }

    void setTimestamp(Instant newTimestamp) {
      timestamp = newTimestamp;
    }
  }

  /** What is equal for equal keys. */
  Object structuralKey(Object key) {
    return keyCoder.structuralValue(key);
  }

  /** The entry of a key in a window, a new one if there is none. */
  Entry entry(BoundedWindow window, Object key) {
    Object structuralKey = structuralKey(key);
    return entry(window, key, structuralKey, KeyTag.of(structuralKey));
  }

  /**
   * The entry of a key in a window, a new one if there is none.
   *
   * @param structuralKey the key's
   * @param tag that of the structural key
   */
  Entry entry(BoundedWindow window, Object key, Object structuralKey, long tag) {
    int hash = hash(window, tag);
    int mask = slots.length - 1;
    int slot = hash & mask;
    for (; tags[slot] != KeyTag.NONE; slot = (slot + 1) & mask) {
      if (tags[slot] == tag && slots[slot].isOf(window, structuralKey, tag)) {
        return slots[slot];
      }
    }
    Entry entry = new Entry(hash, structuralKey, key, window);
    slots[slot] = entry;
    tags[slot] = tag;
    entries.add(entry);
    if (entries.size() > slots.length / 2) {
      grow();
    }
    return entry;
  }

  /**
   * The entry at the first place of a key in a window, where most are, if its key has this tag;
   * else null. The entry is not looked at, so that nothing waits for its memory: it may be that of
   * another key.
   */
  Entry likelyEntry(BoundedWindow window, long tag) {
    int slot = hash(window, tag) & (slots.length - 1);
    return tags[slot] == tag ? slots[slot] : null;
  }

  private int hash(BoundedWindow window, long tag) {
    if (window != lastWindow) {
      lastWindow = window;
      lastWindowHash = KeyTag.hash(window.hashCode());
    }
    return KeyTag.hash(tag) ^ lastWindowHash;
  }

  private void grow() {
    Entry[] oldSlots = slots;
    long[] oldTags = tags;
    slots = new Entry[oldSlots.length * 2];
    tags = new long[slots.length];
    int mask = slots.length - 1;
    for (int old = 0; old < oldSlots.length; old++) {
      if (oldSlots[old] != null) {
        int slot = oldSlots[old].hash & mask;
        while (slots[slot] != null) {
          slot = (slot + 1) & mask;
        }
        slots[slot] = oldSlots[old];
        tags[slot] = oldTags[old];
      }
    }
  }

  /** Counts an addition to {@code entry}; says whether the table should be emptied now. */
  boolean isFullAfter(Entry entry) throws IOException {
    additions++;
    if (additions >= nextMeasure) {
      nextMeasure = additions + Math.max(FIRST_MEASURE, additions / 4);
      measure(entry);
    }
    return estimatedBytes() > memoryBytes;
  }

  private long estimatedBytes() {
    return entries.size() * (ENTRY_BYTES + sampledBytes) + largestBytes;
  }

  private void measure(Entry added) throws IOException {
    largestBytes = Math.max(largestBytes, sizeOf(added));
    int step = Math.max(1, entries.size() / SAMPLE);
    long sum = 0;
    int measured = 0;
    for (int i = 0; i < entries.size(); i += step) {
      sum += sizeOf(entries.get(i));
      measured++;
    }
    sampledBytes = sum / measured;
  }

  private long sizeOf(Entry entry) throws IOException {
    Counter counter = new Counter();
    keyCoder.encode(entry.key, counter);
    accumulatorCoder.encode(entry.accumulator, counter);
    return counter.bytes * OBJECT_FACTOR;
  }

  /** All entries, in the order in which their keys came. */
  List<Entry> entries() {
    return entries;
  }

  /** Removes all entries. */
  void clear() {
    entries.clear();
    Arrays.fill(slots, null);
    Arrays.fill(tags, KeyTag.NONE);
    additions = 0;
    nextMeasure = FIRST_MEASURE;
    largestBytes = 0;
    sampledBytes = 0;
  }

  /** Counts the bytes that are written to it. */
  private static final class Counter extends OutputStream {

    private long bytes;

    @Override
    public void write(int b) {
      bytes++;
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      bytes += length;
    }
  }
}
