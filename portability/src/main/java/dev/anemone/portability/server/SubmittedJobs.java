// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The jobs that run, and the last ones that have ended. Thread-safe. */
final class SubmittedJobs {

  private final Map<String, SubmittedJob> jobs = new LinkedHashMap<>();
  private final Deque<String> ended = new ArrayDeque<>();
  private final int keptJobs;

  /**
   * None yet.
   *
   * @param keptJobs how many that have ended are kept
   */
  SubmittedJobs(int keptJobs) {
    this.keptJobs = keptJobs;
  }

  synchronized void add(SubmittedJob job) {
    jobs.put(job.id(), job);
  }

  /** A job has ended; the first one that has is forgotten, if there are too many. */
  synchronized void end(SubmittedJob job) {
    ended.add(job.id());
    while (ended.size() > keptJobs) {
      jobs.remove(ended.remove());
    }
  }

  synchronized Optional<SubmittedJob> find(String id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** All, in the order in which they came. */
  synchronized List<SubmittedJob> all() {
    return List.copyOf(jobs.values());
  }
}
