// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.format.RunCursor;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A run of one record that is larger than a page, in a buffer outside the task's memory, which is
 * kept for the next one. CloseAll it does nothing. Used by one thread.
 */
public final class LargeRecord implements RunCursor {

  private ByteBuffer buffer = ByteBuffer.allocateDirect(0);
  private int keyStart;
  private int keyLength;
  private int valueLength;
  private boolean ahead;

  /**
   * Takes on another record; stands before it.
   *
   * @throws IOException when it is larger than {@link RecordFormat#MAX_RECORD_BYTES}
   */
  public void set(byte[] key, int newKeyLength, byte[] value, int newValueLength)
      throws IOException {
    long size = RecordFormat.size(newKeyLength, newValueLength);
    if (size > RecordFormat.MAX_RECORD_BYTES) {
      throw new IOException(
          "a record with a key of "
              + newKeyLength
              + " bytes and a value of "
              + newValueLength
              + " bytes is too large for a shuffle, whose records may have "
              + RecordFormat.MAX_RECORD_BYTES
              + " bytes in all; split the value");
    }
    if (size > buffer.capacity()) {
      buffer = ByteBuffer.allocateDirect((int) size);
    }
    RecordFormat.write(buffer, 0, key, newKeyLength, value, newValueLength);
    keyLength = newKeyLength;
    valueLength = newValueLength;
    keyStart = (int) size - keyLength - valueLength;
    ahead = true;
  }

  @Override
  public boolean next() {
    boolean hasOne = ahead;
    ahead = false;
    return hasOne;
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
