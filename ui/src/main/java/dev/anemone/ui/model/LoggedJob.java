// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.JobEvent;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A job from its event log. */
public final class LoggedJob {

  private LoggedJob() {}

  /**
   * Reads a log to its end. What cannot be read is left out, and the job says so.
   *
   * @param id how the job is found
   * @param log is closed
   * @throws IOException if the log cannot be read at all
   */
  public static JobModel read(String id, InputStream log) throws IOException {
    JobModel job = new JobModel(id);
    try (EventLogReader reader = new EventLogReader(log)) {
      for (Optional<JobEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
        job.add(event.get());
      }
      if (reader.unreadableLines() > 0) {
        job.remark(
            reader.unreadableLines() == 1
                ? "A line of the log could not be read, and is left out."
                : reader.unreadableLines()
                    + " lines of the log could not be read, and are left out.");
      }
      if (reader.unknownEvents() > 0) {
        job.remark(
            reader.unknownEvents()
                + " events of the log are of kinds that this version does not know.");
      }
    }
    job.end();
    return job;
  }
}
