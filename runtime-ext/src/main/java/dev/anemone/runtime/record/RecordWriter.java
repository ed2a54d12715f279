// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.record;

import java.io.IOException;

/** Writes the records of one output link. Used by one thread. */
public interface RecordWriter {

  /** Writes a record; both sinks may be reused after the call. */
  void write(ByteSink key, ByteSink value) throws IOException;
}
