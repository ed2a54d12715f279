// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.IOException;
import java.io.InputStream;

/** Reads elements from bytes. Used by one thread. */
@FunctionalInterface
public interface ElementDecoder {

  /** Reads one element; {@code in} ends where the element ends. */
  Object decode(InputStream in) throws IOException;
}
