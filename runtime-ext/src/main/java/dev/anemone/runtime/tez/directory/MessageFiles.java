// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** A log with a file for each message, where files do not grow. */
final class MessageFiles implements MessageLog {

  private final JobDirectory directory;
  private final String name;
  private final AtomicLong written = new AtomicLong();

  /**
   * A log without messages.
   *
   * @param name the beginning of its files' names, which no other log has
   */
  MessageFiles(JobDirectory directory, String name) {
    this.directory = directory;
    this.name = name;
  }

  @Override
  public void append(byte[] message) throws IOException {
    String number = String.format("-%06d", written.getAndIncrement());
    directory.write(name + number + JobDirectory.ONE_MESSAGE, message);
  }

  @Override
  public void close() {}
}
