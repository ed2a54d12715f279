// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.IOException;

/** Writes elements of a keyed shuffle as records of key and value. Used by one thread. */
@FunctionalInterface
public interface RecordEncoder {

  /**
   * Writes an element as any number of records: for each, write key and value, then {@link
   * RecordSink#emit}.
   */
  void encode(Object element, RecordSink sink) throws IOException;
}
