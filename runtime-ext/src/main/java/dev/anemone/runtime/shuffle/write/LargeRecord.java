// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.shuffle.format.OneRecordRun;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import java.io.IOException;

/** A run of one record that is larger than a page, in a buffer outside the task's memory. */
public final class LargeRecord extends OneRecordRun {

  /** Takes on another record that is {@link #requireAllowed}; stands before it. */
  public void set(byte[] key, int newKeyLength, byte[] value, int newValueLength) {
    int size = (int) RecordFormat.size(newKeyLength, newValueLength);
    ensure(size, size);
    encode(key, newKeyLength, value, newValueLength);
  }

  /**
   * Checks the size of a record.
   *
   * @throws IOException when it is larger than {@link RecordFormat#MAX_RECORD_BYTES}
   */
  static void requireAllowed(int keyLength, int valueLength) throws IOException {
    if (RecordFormat.size(keyLength, valueLength) > RecordFormat.MAX_RECORD_BYTES) {
      throw new IOException(
          "a record with a key of "
              + keyLength
              + " bytes and a value of "
              + valueLength
              + " bytes is too large for a shuffle, whose records may have "
              + RecordFormat.MAX_RECORD_BYTES
              + " bytes in all; split the value");
    }
  }
}
