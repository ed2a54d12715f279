// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import java.io.Closeable;
import java.io.IOException;

/**
 * What one process adds to the messages of a job. Whoever reads them finds a message when {@link
 * #append} has returned, also when the process ends without closing its log. Thread-safe.
 */
public interface MessageLog extends Closeable {

  /**
   * Adds a message.
   *
   * @throws IOException when it may not have been written; readers may find it all the same
   */
  void append(byte[] message) throws IOException;

  /** Nothing more is added. */
  @Override
  void close() throws IOException;
}
