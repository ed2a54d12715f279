// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * Replaces the values of one key by a single value that stands for them all, while runs are merged.
 * It is a saving, not a promise: a consumer may still meet several values of a key. Used by one
 * thread.
 */
@FunctionalInterface
public interface RecordCombiner {

  /**
   * Writes the one value that stands for {@code values}.
   *
   * @param key the key's bytes, without the tag of the channel
   * @param values at least two
   */
  void combine(InputStream key, ValueCursor values, OutputStream combined) throws Exception;
}
