// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the messages of all processes of a job as they come, each once. Not thread-safe. */
public final class MessageReader {

  private static final long READ_TO_ITS_END = -1;

  private final JobDirectory directory;
  private final String prefix;

  /** How far each file was read, in bytes. */
  private final Map<String, Long> offsets = new HashMap<>();

  /**
   * A reader that has read nothing.
   *
   * @param prefix of the logs, as in {@link JobDirectory#log}
   */
  public MessageReader(JobDirectory directory, String prefix) {
    this.directory = directory;
    this.prefix = prefix;
  }

  /** The messages that were not there the last time; those of one log in their order. */
  public List<byte[]> next() throws IOException {
    List<JobDirectory.Tail> tails = new ArrayList<>();
    for (String name : directory.list(prefix)) {
      long offset = offsets.getOrDefault(name, 0L);
      if (offset != READ_TO_ITS_END) {
        tails.add(new JobDirectory.Tail(name, offset));
      }
    }
    List<byte[]> read = directory.readAll(tails);
    List<byte[]> messages = new ArrayList<>();
    for (int i = 0; i < tails.size(); i++) {
      JobDirectory.Tail tail = tails.get(i);
      if (tail.name().endsWith(JobDirectory.ONE_MESSAGE)) {
        messages.add(read.get(i));
        offsets.put(tail.name(), READ_TO_ITS_END);
      } else {
        MessageFraming.Messages arrived = MessageFraming.parse(read.get(i));
        messages.addAll(arrived.messages());
        offsets.put(tail.name(), tail.offset() + arrived.bytes());
      }
    }
    return messages;
  }
}
