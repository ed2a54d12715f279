// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.runtime.engine.JobState;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs that end with this process. Thread-safe. */
public final class RunningJobs {

  private static final Logger LOG = LoggerFactory.getLogger(RunningJobs.class);

  /** A process that was told to end is to say what becomes of its jobs within five seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Set<FollowedJob> jobs = new LinkedHashSet<>();

  synchronized void add(FollowedJob job) {
    jobs.add(job);
  }

  synchronized void remove(FollowedJob job) {
    jobs.remove(job);
  }

  private synchronized List<FollowedJob> copy() {
    return List.copyOf(jobs);
  }

  /**
   * Cancels the jobs, as this process ends, and says so on standard error, a line for each. Waits
   * for their end, so that none of them writes what is not whole, but not longer than a few
   * seconds.
   */
  public void cancelAtExit() {
    List<FollowedJob> running = copy();
    for (FollowedJob job : running) {
      // A cluster may take its time to answer.
      Thread cancelling = new Thread(() -> cancel(job), "anemone-cancel-" + job.id());
      cancelling.setDaemon(true);
      cancelling.start();
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    for (FollowedJob job : running) {
      if (!succeeds(job, Duration.ofNanos(deadline - System.nanoTime()))) {
        System.err.println("anemone: job " + job.name() + " was cancelled, as its process ends.");
      }
    }
  }

  private static void cancel(FollowedJob job) {
    try {
      job.cancel();
    } catch (RuntimeException e) {
      LOG.warn("Job {} could not be cancelled; it ends without its process", job.name(), e);
    }
  }

  private static boolean succeeds(FollowedJob job, Duration limit) {
    try {
      return job.await(Optional.of(limit))
          .filter(result -> result.state() == JobState.SUCCEEDED)
          .isPresent();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
