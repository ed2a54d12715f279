// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

import java.io.IOException;

/** Reads the records of one input link, once. Used by one thread. */
public interface RecordReader {

  /**
   * Moves to the next record.
   *
   * @return whether there is one
   */
  boolean next() throws IOException;

  /** The current record's key; valid until the next call of {@link #next}. */
  ByteSlice key();

  /** The current record's value; valid until the next call of {@link #next}. */
  ByteSlice value();
}
