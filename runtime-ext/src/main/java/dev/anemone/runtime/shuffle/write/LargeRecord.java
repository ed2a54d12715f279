// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.shuffle.format.OneRecordRun;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import java.io.IOException;

/** A run of one record that is larger than a page, in a buffer outside the task's memory. */
public final class LargeRecord extends OneRecordRun {

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
    ensure((int) size, (int) size);
    encode(key, newKeyLength, value, newValueLength);
  }
}
