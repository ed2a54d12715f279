// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Sorts records in memory, by all of their bytes: so the result depends on the set of the records
 * only, and not on the order in which they came.
 *
 * <p>Records lie one behind the other in blocks of a megabyte, without an object for each. What is
 * sorted are numbers of 64 bits: 5 bytes of the record and, below, its index of 24 bits. Records
 * that are equal in these bytes are sorted again by the next 5, so at most 20 times, and a key is
 * told from another by two. A record costs 108 bytes.
 *
 * <p>Not thread-safe. The blocks are kept for the next records; letting go of the sorter frees
 * them.
 */
final class RangeSorter {
  private static final int BLOCK_RECORDS = 10_000;
  private static final int INDEX_BITS = 24;
  private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;
  private static final int DIGIT_BYTES = 5;

  private final int maximumRecords;
  private final List<byte[]> blocks = new ArrayList<>();
  private long[] entries = new long[0];
  private int records;

  /**
   * A sorter without records.
   *
   * @param maximumRecords how many it takes, at most 16,777,216
   */
  RangeSorter(int maximumRecords) {
    if (maximumRecords > INDEX_MASK + 1) {
      throw new IllegalArgumentException(
          "At most " + (INDEX_MASK + 1) + " records can be sorted, not " + maximumRecords + ".");
    }
    this.maximumRecords = maximumRecords;
  }

  /**
   * Takes a copy of a record.
   *
   * @return false if it cannot be taken, because the sorter has as many as it takes
   */
  boolean add(byte[] record) {
    if (records == maximumRecords) {
      return false;
    }
    if (records == blocks.size() * BLOCK_RECORDS) {
      blocks.add(new byte[BLOCK_RECORDS * TeraRecord.BYTES]);
    }
    System.arraycopy(record, 0, block(records), offset(records), TeraRecord.BYTES);
    records++;
    return true;
  }

  /** Number of records that were added since the last {@link #clear}. */
  int records() {
    return records;
  }

  /** Forgets the records. */
  void clear() {
    records = 0;
  }

  /**
   * Writes the records in ascending order.
   *
   * @throws IOException if the writer throws it
   */
  void write(RecordWriter writer) throws IOException {
    if (entries.length < records) {
      entries = new long[records];
    }
    for (int index = 0; index < records; index++) {
      entries[index] = index;
    }
    sort(0, records, 0);
    for (int i = 0; i < records; i++) {
      int index = index(entries[i]);
      writer.write(block(index), offset(index));
    }
  }

  /** Sorts the records of some entries, which are equal up to a position, by what follows. */
  private void sort(int from, int to, int position) {
    if (position == TeraRecord.BYTES) {
      return;
    }
    for (int i = from; i < to; i++) {
      int index = index(entries[i]);
      entries[i] = entry(block(index), offset(index) + position, index);
    }
    Arrays.sort(entries, from, to);
    int start = from;
    while (start < to) {
      int end = start + 1;
      while (end < to && (entries[start] ^ entries[end]) >>> INDEX_BITS == 0) {
        end++;
      }
      if (end - start > 1) {
        sort(start, end, position + DIGIT_BYTES);
      }
      start = end;
    }
  }

  /** An entry whose order as a signed number is that of the bytes as unsigned ones. */
  private static long entry(byte[] block, int offset, int index) {
    long digit = 0;
    for (int i = 0; i < DIGIT_BYTES; i++) {
      digit = (digit << Byte.SIZE) | Byte.toUnsignedLong(block[offset + i]);
    }
    return ((digit << INDEX_BITS) | index) ^ Long.MIN_VALUE;
  }

  private static int index(long entry) {
    return (int) (entry & INDEX_MASK);
  }

  private byte[] block(int index) {
    return blocks.get(index / BLOCK_RECORDS);
  }

  private static int offset(int index) {
    return index % BLOCK_RECORDS * TeraRecord.BYTES;
  }
}
