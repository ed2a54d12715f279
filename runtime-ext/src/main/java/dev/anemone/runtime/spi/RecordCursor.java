// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.IOException;
import java.io.InputStream;

/** One pass over records in their order. Used by one thread; holds nothing that must be closed. */
public interface RecordCursor extends ValueCursor {

  /**
   * Moves to the next record.
   *
   * @throws IOException also when the bytes are not those that were written
   */
  @Override
  boolean next() throws IOException;

  /**
   * The bytes of the key of the record that the cursor stands on, as {@link #value} has those of
   * its value.
   */
  InputStream key();
}
