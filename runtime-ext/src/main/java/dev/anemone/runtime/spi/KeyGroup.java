// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.IOException;
import java.io.InputStream;

/**
 * The records of one key. Valid only during the call that it is given to, for the thread of that
 * call.
 */
public interface KeyGroup {

  /** A stream over the key's bytes, from the start. */
  InputStream key();

  /**
   * The values, to be read once, without buffering. Either this or {@link #replayableValues} may be
   * called, and only once.
   */
  ValueCursor valuesOnce() throws IOException;

  /**
   * The values, to be read as often as needed. Those beyond the task's memory budget are kept on
   * local disk until the group ends.
   */
  ReplayableValues replayableValues() throws IOException;

  /** Values that can be read more than once. */
  interface ReplayableValues {

    /** A new pass over all values, in the same order each time. Passes may overlap. */
    ValueCursor cursor() throws IOException;
  }
}
