// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A run of one record in a direct buffer of its own, which is used again for the next record.
 * Closing it does nothing. Used by one thread.
 */
public abstract class OneRecordRun implements RunCursor {

  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private ByteBuffer buffer = NOTHING;
  private int keyStart;
  private int keyLength;
  private int valueLength;
  private boolean before;

  /**
   * Makes room for a record.
   *
   * @param length its bytes
   * @param capacity of the new buffer, where the one that is there has fewer bytes
   */
  protected final void ensure(int length, int capacity) {
    if (length > buffer.capacity()) {
      buffer = ByteBuffer.allocateDirect(capacity);
    }
  }

  /** Copies the record that a cursor stands on into the room that was made; stands before it. */
  protected final void copy(RunCursor source) throws IOException {
    keyStart = source.keyStart() - source.recordStart();
    keyLength = source.keyLength();
    valueLength = source.valueLength();
    before = true;
    int copied = 0;
    do {
      int part = source.recordEnd() - source.recordStart();
      buffer.put(copied, source.buffer(), source.recordStart(), part);
      copied += part;
    } while (source.nextPart());
  }

  /** Encodes a record into the room that was made; stands before it. */
  protected final void encode(byte[] key, int newKeyLength, byte[] value, int newValueLength) {
    RecordFormat.write(buffer, 0, key, newKeyLength, value, newValueLength);
    keyStart = RecordFormat.varintSize(newKeyLength) + RecordFormat.varintSize(newValueLength);
    keyLength = newKeyLength;
    valueLength = newValueLength;
    before = true;
  }

  @Override
  public final boolean next() {
    boolean first = before;
    before = false;
    return first;
  }

  @Override
  public final long keyPrefix() {
    return RecordFormat.prefix(buffer, keyStart, keyLength);
  }

  @Override
  public final ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public final int recordStart() {
    return 0;
  }

  @Override
  public final int keyStart() {
    return keyStart;
  }

  @Override
  public final int keyLength() {
    return keyLength;
  }

  @Override
  public final int valueStart() {
    return keyStart + keyLength;
  }

  @Override
  public final int valueLength() {
    return valueLength;
  }

  @Override
  public final void close() {}
}
