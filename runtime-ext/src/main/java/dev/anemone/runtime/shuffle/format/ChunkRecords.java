// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.record.ByteSlice;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** The records of one chunk, decoded, on the heap, with where each of them starts. Immutable. */
public final class ChunkRecords {

  private static final int FIRST_STARTS = 256;

  private final byte[] bytes;
  private final ByteBuffer buffer;
  private final int[] starts;

  private ChunkRecords(byte[] bytes, ByteBuffer buffer, int[] starts) {
    this.bytes = bytes;
    this.buffer = buffer;
    this.starts = starts;
  }

  /**
   * Finds the records in the payload of a chunk.
   *
   * @param bytes belongs to the result from now on
   * @throws IndexOutOfBoundsException when a record does not fit into them
   */
  static ChunkRecords of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int[] starts = new int[FIRST_STARTS];
    int count = 0;
    for (int position = 0; position < bytes.length; count++) {
      if (count == starts.length) {
        starts = Arrays.copyOf(starts, 2 * count);
      }
      starts[count] = position;
      int keyLength = RecordFormat.varint(buffer, position);
      position += RecordFormat.varintSize(keyLength);
      int valueLength = RecordFormat.varint(buffer, position);
      position += RecordFormat.varintSize(valueLength);
      Objects.checkFromIndexSize(position, keyLength, bytes.length);
      position += keyLength;
      Objects.checkFromIndexSize(position, valueLength, bytes.length);
      position += valueLength;
    }
    return new ChunkRecords(bytes, buffer, Arrays.copyOf(starts, count));
  }

  /** Number of records, at least one. */
  public int size() {
    return starts.length;
  }

  /** Bytes of the heap that they take. */
  public long heapBytes() {
    return bytes.length + (long) Integer.BYTES * starts.length;
  }

  /** Points a slice at the key of a record. */
  public ByteSlice key(int index, ByteSlice slice) {
    int keyLength = keyLength(index);
    return slice.set(bytes, keyStart(index, keyLength), keyLength);
  }

  /** Points a slice at the value of a record. */
  public ByteSlice value(int index, ByteSlice slice) {
    int keyLength = keyLength(index);
    int start = keyStart(index, keyLength) + keyLength;
    int end = index + 1 == starts.length ? bytes.length : starts[index + 1];
    return slice.set(bytes, start, end - start);
  }

  /** The index of the first record whose key is not smaller than a key, or else the size. */
  public int lowerBound(byte[] key) {
    int from = 0;
    int to = starts.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      int keyLength = keyLength(middle);
      int start = keyStart(middle, keyLength);
      if (Arrays.compareUnsigned(bytes, start, start + keyLength, key, 0, key.length) < 0) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private int keyLength(int index) {
    return RecordFormat.varint(buffer, starts[index]);
  }

  private int keyStart(int index, int keyLength) {
    int valueLengthAt = starts[index] + RecordFormat.varintSize(keyLength);
    return valueLengthAt + RecordFormat.varintSize(RecordFormat.varint(buffer, valueLengthAt));
  }
}
