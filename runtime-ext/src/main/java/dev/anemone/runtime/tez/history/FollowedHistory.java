// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows what application masters write of a job ({@link MasterHistory}) while they do. The end of
 * the job is left out, of which its client knows more. Not thread-safe.
 */
public final class FollowedHistory implements HistoryFeed {

  private static final Logger LOG = LoggerFactory.getLogger(FollowedHistory.class);

  private final JobFiles files;
  private final Consumer<JobEvent> events;
  private final Map<String, Long> read = new HashMap<>();

  /**
   * Follows a job from its beginning.
   *
   * @param events takes the events, called by {@link #poll}
   */
  public FollowedHistory(JobFiles files, Consumer<JobEvent> events) {
    this.files = files;
    this.events = events;
  }

  @Override
  public void poll() {
    try {
      for (String file : files.historyFiles()) {
        follow(file);
      }
    } catch (IOException e) {
      LOG.debug("No news of a job's attempts", e);
    }
  }

  /** Takes the lines that are whole; where one is not, the rest of it will come. */
  private void follow(String file) throws IOException {
    long before = read.getOrDefault(file, 0L);
    byte[] bytes = files.readHistory(file, before);
    int whole = bytes.length;
    while (whole > 0 && bytes[whole - 1] != '\n') {
      whole--;
    }
    try (EventLogReader lines = new EventLogReader(new ByteArrayInputStream(bytes, 0, whole))) {
      for (Optional<JobEvent> event = lines.next(); event.isPresent(); event = lines.next()) {
        event.filter(each -> !(each instanceof JobFinished)).ifPresent(events);
      }
    }
    read.put(file, before + whole);
  }

  @Override
  public void close() {}
}
