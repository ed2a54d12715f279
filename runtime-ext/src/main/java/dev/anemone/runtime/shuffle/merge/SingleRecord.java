// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.merge;

import dev.anemone.runtime.shuffle.format.OneRecordRun;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.format.RunCursor;
import java.io.IOException;

/** A run of one record after the other, of all sizes: the buffer grows ahead of them. */
public final class SingleRecord extends OneRecordRun {

  private static final int FIRST_BYTES = 1 << 10;

  /** Copies the record that a cursor stands on. */
  public void set(RunCursor source) throws IOException {
    int length = (int) RecordFormat.size(source.keyLength(), source.valueLength());
    ensure(length);
    copy(source);
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
    encode(key, newKeyLength, value, newValueLength);
  }

  private void ensure(int length) {
    ensure(length, Math.max(FIRST_BYTES, length + (length >>> 1)));
  }
}
