// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.IOException;
import java.io.OutputStream;

/** Writes elements as bytes. Used by one thread. */
@FunctionalInterface
public interface ElementEncoder {

  void encode(Object element, OutputStream out) throws IOException;
}
