// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import java.util.Arrays;

/**
 * Sums of whole numbers by short texts, in one array of numbers: an addition waits for one line of
 * memory, where one to an {@link AccumulatorTable} waits for four, and the garbage collector finds
 * nothing to follow. A text is not kept, since its {@link KeyTag} is it. Additions wait until there
 * are {@value #MOST_WAITING}, whose lines are then fetched together, see {@link PendingAdditions}.
 * Not thread-safe.
 */
final class ShortTextSums {

  private static final int MOST_WAITING = 64;
  private static final int FIRST_PLACES = 64;

  /** Beyond that, an array twice as large as the table's would be longer than one can be. */
  private static final long MOST_BYTES = (3L * Long.BYTES) << 28;

  /** A tag, and its sum behind it. */
  private static final int PLACE = 2;

  private final long memoryBytes;
  private final long[] waitingTags = new long[MOST_WAITING];
  private final long[] waitingSummands = new long[MOST_WAITING];
  private int waiting;

  /** A hash table with linear probing: a power of two of places, at most half of them taken. */
  private long[] places = new long[FIRST_PLACES * PLACE];

  private int size;

  /** What was fetched last; kept, so that no compiler leaves the fetching out. */
  @SuppressWarnings("UnusedVariable")
  private long fetched;

  /**
   * A table that is full at {@code memoryBytes} bytes of heap, or when it is as small as it can.
   */
  ShortTextSums(long memoryBytes) {
    this.memoryBytes = Math.min(memoryBytes, MOST_BYTES);
  }

  /** Takes a text and its sum. */
  @FunctionalInterface
  interface Receiver {

    /** Takes them, and may throw what fails the task. */
    void accept(String text, long sum) throws Exception;
  }

  /** Is told of each addition when it is made. */
  @FunctionalInterface
  interface Listener {

    /**
     * Takes notice of an addition; the table may be {@linkplain #clear cleared} by it.
     *
     * @param isNew whether it is the first to its text
     */
    void added(boolean isNew) throws Exception;
  }

  /**
   * Lets an addition wait.
   *
   * @param tag for which {@link KeyTag#isKey} holds
   * @return whether no other can wait before {@link #addAll} was called
   */
  boolean put(long tag, long summand) {
    waitingTags[waiting] = tag;
    waitingSummands[waiting] = summand;
    waiting++;
    return waiting == MOST_WAITING;
  }

  /** Makes the additions that wait. */
  void addAll(Listener listener) throws Exception {
    long sum = 0;
    for (int i = 0; i < waiting; i++) {
      sum += places[firstPlace(waitingTags[i])];
    }
    fetched = sum;
    for (int i = 0; i < waiting; i++) {
      listener.added(add(waitingTags[i], waitingSummands[i]));
    }
    waiting = 0;
  }

  /** Adds to the sum of a text; returns whether it had none. */
  private boolean add(long tag, long summand) {
    int place = firstPlace(tag);
    while (places[place] != tag) {
      if (places[place] == KeyTag.NONE) {
        insert(place, tag, summand);
        return true;
      }
      place = (place + PLACE) & (places.length - 1);
    }
    places[place + 1] += summand;
    return false;
  }

  private int firstPlace(long tag) {
    return (KeyTag.hash(tag) * PLACE) & (places.length - 1);
  }

  private void insert(int place, long tag, long summand) {
    places[place] = tag;
    places[place + 1] = summand;
    size++;
    if (size * PLACE > places.length / 2) {
      grow();
    }
  }

  private void grow() {
    long[] old = places;
    places = new long[old.length * 2];
    for (int from = 0; from < old.length; from += PLACE) {
      if (old[from] != KeyTag.NONE) {
        int place = firstPlace(old[from]);
        while (places[place] != KeyTag.NONE) {
          place = (place + PLACE) & (places.length - 1);
        }
        places[place] = old[from];
        places[place + 1] = old[from + 1];
      }
    }
  }

  /** Whether as many additions as may wait could make it larger than its memory. */
  boolean isFull() {
    boolean mayGrow = (size + MOST_WAITING) * PLACE > places.length / 2;
    // Twice as large, beside the one that it grows out of.
    return mayGrow && size > 0 && 3L * places.length * Long.BYTES > memoryBytes;
  }

  /** Gives all sums, in no order; those that wait are not among them. */
  void forEach(Receiver receiver) throws Exception {
    for (int place = 0; place < places.length; place += PLACE) {
      if (places[place] != KeyTag.NONE) {
        receiver.accept(KeyTag.text(places[place]), places[place + 1]);
      }
    }
  }

  /** Removes all sums, but not the additions that wait. */
  void clear() {
    Arrays.fill(places, KeyTag.NONE);
    size = 0;
  }
}
