// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.dofn;

import dev.anemone.beam.coder.GroupDecoder;
import dev.anemone.runtime.spi.KeyGroup.ReplayableValues;
import dev.anemone.runtime.spi.OperatorContext;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.apache.beam.sdk.values.WindowedValue;

/**
 * Reads the elements of a key by their timestamps; those of one timestamp in the order in which
 * they lie there. A key that fits into memory is read once. Of a larger one each pass over it takes
 * the earliest elements that are left and fit, so that the heap never holds more than the limit.
 * Used by one thread.
 */
public final class TimeOrder {

  /** Objects take about this many times the memory of their encoding. */
  private static final int OBJECT_FACTOR = 4;

  /** The share of a task's memory that elements may take, as objects, while they are sorted. */
  private static final int MEMORY_SHARE = 4;

  /** What is done with the elements in their order. */
  @FunctionalInterface
  public interface Consumer {

    /** Takes the next element. */
    void accept(WindowedValue<Object> element) throws Exception;
  }

  /** An element and its place in the order. */
  private record Entry(long millis, long position, int bytes, WindowedValue<Object> element)
      implements Comparable<Entry> {

    private static final Comparator<Entry> ORDER =
        Comparator.comparingLong(Entry::millis).thenComparingLong(Entry::position);

    @Override
    public int compareTo(Entry other) {
      return ORDER.compare(this, other);
    }
  }

  private final GroupDecoder decoder;
  private final long memoryBytes;

  /**
   * An order for groups of mode {@code MERGING}.
   *
   * @param memoryBytes how many bytes of encoded elements are held as objects at a time
   */
  TimeOrder(GroupDecoder decoder, long memoryBytes) {
    this.decoder = decoder;
    this.memoryBytes = memoryBytes;
  }

  /** An order for groups of mode {@code MERGING}, within a task's memory. */
  public static TimeOrder of(GroupDecoder decoder, OperatorContext context) {
    return new TimeOrder(decoder, context.memoryBudgetBytes() / (OBJECT_FACTOR * MEMORY_SHARE));
  }

  /**
   * Hands every element to {@code consumer}, the earliest first.
   *
   * @throws Exception what the consumer throws; or an {@link IOException} when the elements cannot
   *     be read
   */
  public void forEach(ReplayableValues values, Consumer consumer) throws Exception {
    Entry last = null;
    boolean more = true;
    while (more) {
      PriorityQueue<Entry> earliest = new PriorityQueue<>(Comparator.reverseOrder());
      more = read(values.cursor(), last, earliest);
      Entry[] batch = earliest.toArray(Entry[]::new);
      Arrays.sort(batch);
      for (Entry entry : batch) {
        consumer.accept(entry.element());
        last = entry;
      }
    }
  }

  /** Whether there are elements after those that were taken. */
  private boolean read(ValueCursor cursor, Entry after, PriorityQueue<Entry> earliest)
      throws IOException {
    boolean left = false;
    long bytes = 0;
    for (long position = 0; cursor.next(); position++) {
      InputStream value = cursor.value();
      int size = value.available();
      WindowedValue<Object> element = decoder.readElement(value);
      Entry entry = new Entry(element.getTimestamp().getMillis(), position, size, element);
      if (after != null && entry.compareTo(after) <= 0) {
        continue;
      }
      earliest.add(entry);
      bytes += size;
      while (bytes > memoryBytes && earliest.size() > 1) {
        bytes -= earliest.poll().bytes();
        left = true;
      }
    }
    return left;
  }
}
