// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.sort;

import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import java.nio.ByteBuffer;

/**
 * Goes over the records of a sorted {@link SortBuffer}, partition by partition. Closing it does
 * nothing: the memory is the buffer's.
 *
 * <p>Records are looked up some hundreds at a time before they are handed out. Records that follow
 * each other in order lie far apart in memory, and lookups that do not wait for each other overlap
 * their cache misses.
 *
 * <p>One buffer uses it again and again.
 */
public final class SortedRecords implements PartitionedRun {

  private static final int BATCH = 256;

  private final SortBuffer buffer;
  private final RecordPages records;
  private final GroupHeads heads;
  private final long[] words = new long[BATCH];
  private final int[] pointers = new int[BATCH];
  private final int[] keyLengths = new int[BATCH];
  private final int[] valueLengths = new int[BATCH];
  private final int[] keyStarts = new int[BATCH];
  private int taken;
  private int index = -1;
  private int partition = -1;
  private ByteBuffer page;

  SortedRecords(SortBuffer buffer, RecordPages records, GroupHeads heads) {
    this.buffer = buffer;
    this.records = records;
    this.heads = heads;
  }

  /** Stands before the first of the records that {@link #heads} stand on. */
  void start() {
    taken = 0;
    index = -1;
    partition = -1;
  }

  @Override
  public boolean nextPartition() {
    if (!isAnyLeft()) {
      return false;
    }
    partition = buffer.partitionOf(words[index + 1]);
    return true;
  }

  @Override
  public int partition() {
    return partition;
  }

  @Override
  public boolean next() {
    if (!isAnyLeft() || buffer.partitionOf(words[index + 1]) != partition) {
      return false;
    }
    index++;
    page = records.page(pointers[index]);
    return true;
  }

  private boolean isAnyLeft() {
    if (index + 1 == taken) {
      lookUp();
      index = -1;
    }
    return taken > 0;
  }

  private void lookUp() {
    taken = heads.take(words, pointers);
    for (int i = 0; i < taken; i++) {
      ByteBuffer source = records.page(pointers[i]);
      int start = RecordPages.offset(pointers[i]);
      int keyLength = RecordFormat.varint(source, start);
      int valueLengthAt = start + RecordFormat.varintSize(keyLength);
      int valueLength = RecordFormat.varint(source, valueLengthAt);
      keyLengths[i] = keyLength;
      valueLengths[i] = valueLength;
      keyStarts[i] = valueLengthAt + RecordFormat.varintSize(valueLength);
    }
  }

  @Override
  public long keyPrefix() {
    return RecordFormat.prefix(page, keyStarts[index], keyLengths[index]);
  }

  @Override
  public ByteBuffer buffer() {
    return page;
  }

  @Override
  public int recordStart() {
    return RecordPages.offset(pointers[index]);
  }

  @Override
  public int keyStart() {
    return keyStarts[index];
  }

  @Override
  public int keyLength() {
    return keyLengths[index];
  }

  @Override
  public int valueStart() {
    return keyStarts[index] + keyLengths[index];
  }

  @Override
  public int valueLength() {
    return valueLengths[index];
  }

  /**
   * Whether this is no record but a reference to one that lies elsewhere; where its value should
   * be, there are a long, its place, and an int, its checksum.
   */
  public boolean isReference() {
    return valueLengths[index] < 0;
  }

  /** Length of the value of the record that a reference stands for. */
  public int referencedValueLength() {
    return ~valueLengths[index];
  }

  @Override
  public void close() {}
}
