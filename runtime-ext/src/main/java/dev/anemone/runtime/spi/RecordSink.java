// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.IOException;
import java.io.OutputStream;

/** Takes the records of a keyed shuffle. Used by one thread. */
public interface RecordSink {

  /** Where the key of the current record goes. */
  OutputStream key();

  /** Where the value of the current record goes. */
  OutputStream value();

  /** Ends the current record and begins a new one with empty key and value. */
  void emit() throws IOException;
}
