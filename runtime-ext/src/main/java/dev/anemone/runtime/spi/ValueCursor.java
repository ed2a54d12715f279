// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.IOException;
import java.io.InputStream;

/** One pass over values. Used by one thread. */
public interface ValueCursor {

  /**
   * Moves to the next value.
   *
   * @return whether there is one
   */
  boolean next() throws IOException;

  /**
   * The bytes of the value that the cursor stands on; ends where the value ends. Valid until the
   * next call of {@link #next}; may be called once per value.
   */
  InputStream value();
}
