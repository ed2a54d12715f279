// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

import java.io.IOException;

/**
 * Reads the records of one grouped input link, once: partition by partition in ascending order, and
 * in a partition in the order of the keys, compared as unsigned bytes. Equal keys are in the same
 * partition, so every key comes once. Used by one thread.
 */
public interface GroupReader {

  /**
   * Moves to the next key; values of the current one that were not read are skipped.
   *
   * @return whether there is one
   */
  boolean nextKey() throws IOException;

  /** The partition of the current key. */
  int partition();

  /** The current key; valid until the next call of {@link #nextKey}. */
  ByteSlice key();

  /**
   * Moves to the next value of the current key.
   *
   * @return whether there is one
   */
  boolean nextValue() throws IOException;

  /** The current value; valid until the next call of {@link #nextValue} or {@link #nextKey}. */
  ByteSlice value();
}
