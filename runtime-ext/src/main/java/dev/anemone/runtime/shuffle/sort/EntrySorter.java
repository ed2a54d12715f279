// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import java.util.Arrays;

/**
 * Sorts the entries of one group by their words, and those with equal words by the records' keys.
 *
 * <p>Words are sorted by a radix sort that goes from the lowest byte to the highest, but only over
 * the four highest bytes in which words differ at all; the few words that agree in these are
 * repaired afterwards. Where whole words are equal, the next eight bytes of the keys take their
 * place, and so on, as in the multikey quicksort of Bentley and Sedgewick, so that each byte of a
 * key is looked at once, however many keys are alike. Sorting by words is stable.
 *
 * <p>Used by one thread. Takes 24 bytes of heap per entry of the largest group so far, 0.5 MB at
 * most.
 */
final class EntrySorter {

  private static final int SMALL = 24;
  private static final int RADIX = 256;
  private static final int MAX_PASSES = 4;

  private final RecordPages records;
  private final int[] counts = new int[MAX_PASSES * RADIX];
  private final int[] shifts = new int[MAX_PASSES];
  private long[] words = new long[0];
  private int[] pointers = new int[0];
  private long[] otherWords = new long[0];
  private int[] otherPointers = new int[0];

  /**
   * A sorter.
   *
   * @param records what the pointers point to
   */
  EntrySorter(RecordPages records) {
    this.records = records;
  }

  /** Sorts a group by words alone; entries with equal words stay in their order. */
  void sortByWords(SortEntries entries, int group) {
    int size = load(entries, group);
    sortWords(0, size);
    entries.store(group, words, pointers);
  }

  /**
   * Sorts a group by words and keys.
   *
   * @param covered number of the keys' bytes that words hold in full
   * @return number of entries whose word was not enough
   */
  int sort(SortEntries entries, int group, int covered) {
    int size = load(entries, group);
    sortWords(0, size);
    int ties = 0;
    for (int start = 0, end; start < size; start = end) {
      end = endOfRun(start, size, -1);
      if (end - start > 1) {
        ties += end - start;
        long word = words[start];
        sortByKeys(start, end, covered);
        Arrays.fill(words, start, end, word);
      }
    }
    entries.store(group, words, pointers);
    return ties;
  }

  private int load(SortEntries entries, int group) {
    int size = entries.groupSize(group);
    if (size > words.length) {
      int capacity = Math.min(SortEntries.GROUP, Math.max(size, 2 * words.length));
      words = new long[capacity];
      pointers = new int[capacity];
      otherWords = new long[capacity];
      otherPointers = new int[capacity];
    }
    entries.load(group, 0, size, words, pointers, 0);
    return size;
  }

  /** Where the words end that equal the one at {@code start} in the bits of a mask. */
  private int endOfRun(int start, int end, long mask) {
    long word = words[start];
    int i = start + 1;
    while (i < end && ((words[i] ^ word) & mask) == 0) {
      i++;
    }
    return i;
  }

  private void sortWords(int from, int to) {
    if (to - from <= SMALL) {
      insertWords(from, to);
      return;
    }
    long undecided = radixSort(from, to);
    if (undecided == 0) {
      return;
    }
    for (int start = from, end; start < to; start = end) {
      end = endOfRun(start, to, ~undecided);
      if (end - start > 1) {
        sortWords(start, end);
      }
    }
  }

  private void insertWords(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long word = words[i];
      int pointer = pointers[i];
      int hole = i;
      while (hole > from && Long.compareUnsigned(words[hole - 1], word) > 0) {
        words[hole] = words[hole - 1];
        pointers[hole] = pointers[hole - 1];
        hole--;
      }
      words[hole] = word;
      pointers[hole] = pointer;
    }
  }

  /** Sorts by the highest bytes that differ; gives a mask of the bits that were not looked at. */
  private long radixSort(int from, int to) {
    long first = words[from];
    long differing = 0;
    for (int i = from; i < to; i++) {
      differing |= words[i] ^ first;
    }
    int passes = 0;
    int shift = Long.SIZE;
    while (passes < MAX_PASSES && shift > 0) {
      shift -= Byte.SIZE;
      if (((differing >>> shift) & 0xff) != 0) {
        shifts[passes++] = shift;
      }
    }
    count(from, to, passes);
    for (int pass = passes - 1; pass >= 0; pass--) {
      distribute(from, to, pass * RADIX, shifts[pass]);
    }
    if (passes % 2 != 0) {
      System.arraycopy(words, from, otherWords, from, to - from);
      System.arraycopy(pointers, from, otherPointers, from, to - from);
      swap();
    }
    return differing & ((1L << shift) - 1);
  }

  private void count(int from, int to, int passes) {
    Arrays.fill(counts, 0, passes * RADIX, 0);
    for (int pass = 0; pass < passes; pass++) {
      int base = pass * RADIX;
      int shift = shifts[pass];
      for (int i = from; i < to; i++) {
        counts[base + (int) ((words[i] >>> shift) & 0xff)]++;
      }
      int sum = from;
      for (int i = base; i < base + RADIX; i++) {
        int count = counts[i];
        counts[i] = sum;
        sum += count;
      }
    }
  }

  private void distribute(int from, int to, int base, int shift) {
    long[] sourceWords = words;
    int[] sourcePointers = pointers;
    for (int i = from; i < to; i++) {
      long word = sourceWords[i];
      int target = counts[base + (int) ((word >>> shift) & 0xff)]++;
      otherWords[target] = word;
      otherPointers[target] = sourcePointers[i];
    }
    swap();
  }

  private void swap() {
    long[] sortedWords = otherWords;
    otherWords = words;
    words = sortedWords;
    int[] sortedPointers = otherPointers;
    otherPointers = pointers;
    pointers = sortedPointers;
  }

  /**
   * Sorts entries whose keys agree in their first {@code covered} bytes, zeros taken for bytes
   * behind a key's end. Overwrites their words. Goes on with the largest part by itself and leaves
   * only smaller ones to calls, so that these nest no deeper than the logarithm of the entries.
   */
  private void sortByKeys(int first, int last, int covered) {
    int from = first;
    int to = last;
    int done = covered;
    while (to - from > SMALL) {
      int longer = endedKeysFirst(from, to, done);
      sortWords(from, longer);
      sortWords(longer, to);
      done += Long.BYTES;
      int largest = longer;
      int largestEnd = longer;
      for (int start = longer, end; start < to; start = end) {
        end = endOfRun(start, to, -1);
        if (end - start > largestEnd - largest) {
          if (largestEnd - largest > 1) {
            sortByKeys(largest, largestEnd, done);
          }
          largest = start;
          largestEnd = end;
        } else if (end - start > 1) {
          sortByKeys(start, end, done);
        }
      }
      from = largest;
      to = largestEnd;
    }
    insertKeys(from, to);
  }

  /**
   * Moves the keys that are no longer than {@code done} to the front, with their length as word;
   * the others get their next eight bytes.
   *
   * @return where the others begin
   */
  private int endedKeysFirst(int from, int to, int done) {
    int ended = from;
    for (int i = from; i < to; i++) {
      int pointer = pointers[i];
      int length = records.keyLength(pointer);
      if (length > done) {
        words[i] = records.keyWord(pointer, done, length);
      } else {
        words[i] = words[ended];
        pointers[i] = pointers[ended];
        words[ended] = length;
        pointers[ended++] = pointer;
      }
    }
    return ended;
  }

  private void insertKeys(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int pointer = pointers[i];
      int hole = i;
      while (hole > from && records.compareKeys(pointers[hole - 1], pointer) > 0) {
        pointers[hole] = pointers[hole - 1];
        hole--;
      }
      pointers[hole] = pointer;
    }
  }
}
