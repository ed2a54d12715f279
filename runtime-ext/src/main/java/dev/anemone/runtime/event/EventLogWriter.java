// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.io.IOException;
import java.io.OutputStream;

/** Writes an event log. Not thread-safe. */
public final class EventLogWriter implements AutoCloseable {

  private final OutputStream out;

  /**
   * A writer.
   *
   * @param out is closed with this writer; should be buffered
   */
  public EventLogWriter(OutputStream out) {
    this.out = out;
  }

  /** Writes a line. */
  public void write(JobEvent event) throws IOException {
    out.write(line(event));
    out.write('\n');
  }

  /** Hands all lines that were written to the stream below. */
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** An event as a line of JSON in UTF-8, without its line feed. */
  public static byte[] line(JobEvent event) throws IOException {
    return EventLogFormat.MAPPER.writerFor(JobEvent.class).writeValueAsBytes(event);
  }
}
