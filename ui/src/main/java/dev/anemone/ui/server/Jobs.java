// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.server;

import dev.anemone.ui.model.JobModel;
import dev.anemone.ui.model.JobSummary;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The jobs that a server shows. Thread-safe. */
public interface Jobs {

  /** All jobs, the last one to start first. */
  List<JobSummary> list() throws IOException;

  /**
   * A job.
   *
   * @param id as in {@link #list}
   */
  Optional<JobModel> job(String id) throws IOException;

  /** Meters in Prometheus's text format; empty where no jobs run. */
  default Optional<String> metrics() {
    return Optional.empty();
  }

  /** What is wrong with the list, such as a log that cannot be read. */
  List<String> remarks();
}
