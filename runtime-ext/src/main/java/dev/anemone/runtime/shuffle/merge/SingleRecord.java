// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.format.RunCursor;
import java.nio.ByteBuffer;

/** A run of one record, in a direct buffer of its own that is used again for the next record. */
public final class SingleRecord implements RunCursor {

  private static final int FIRST_BYTES = 1 << 10;
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private ByteBuffer buffer = NOTHING;
  private int keyStart;
  private int keyLength;
  private int valueLength;
  private boolean before;

  /** Copies the record that a cursor stands on. */
  public void set(RunCursor source) {
    int start = source.recordStart();
    int length = source.recordEnd() - start;
    ensure(length);
    buffer.put(0, source.buffer(), start, length);
    keyStart = source.keyStart() - start;
    keyLength = source.keyLength();
    valueLength = source.valueLength();
    before = true;
  }

  /**
   * Encodes a record.
   *
   * @throws IllegalArgumentException when it has more bytes than a record may have
   */
  public void set(byte[] key, int newKeyLength, byte[] value, int newValueLength) {
    long length = RecordFormat.size(newKeyLength, newValueLength);
    if (length > RecordFormat.MAX_RECORD_BYTES) {
      throw new IllegalArgumentException(
          "a record may have up to "
              + RecordFormat.MAX_RECORD_BYTES
              + " bytes; this one has "
              + length);
    }
    ensure((int) length);
    RecordFormat.write(buffer, 0, key, newKeyLength, value, newValueLength);
    keyStart = RecordFormat.varintSize(newKeyLength) + RecordFormat.varintSize(newValueLength);
    keyLength = newKeyLength;
    valueLength = newValueLength;
    before = true;
  }

  private void ensure(int length) {
    if (length > buffer.capacity()) {
      buffer = ByteBuffer.allocateDirect(Math.max(FIRST_BYTES, length + (length >>> 1)));
    }
  }

  @Override
  public boolean next() {
    boolean first = before;
    before = false;
    return first;
  }

  @Override
  public long keyPrefix() {
    return RecordFormat.prefix(buffer, keyStart, keyLength);
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int recordStart() {
    return 0;
  }

  @Override
  public int keyStart() {
    return keyStart;
  }

  @Override
  public int keyLength() {
    return keyLength;
  }

  @Override
  public int valueStart() {
    return keyStart + keyLength;
  }

  @Override
  public int valueLength() {
    return valueLength;
  }

  @Override
  public void close() {}
}
