// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.jobs;

import dev.anemone.runtime.engine.RunningJob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of this process, which a thread enters into the registry and cancels when somebody asks
 * for it there. The thread is there only as long as jobs are. Thread-safe.
 */
public final class OwnJobs {

  /** Of this JVM. */
  public static final OwnJobs OF_THIS_JVM = new OwnJobs(JobRegistry.ofThisUser());

  private static final Logger LOG = LoggerFactory.getLogger(OwnJobs.class);

  /** Jobs that are shorter are not entered: nobody could see them, and files cost time. */
  private static final Duration POLL = Duration.ofMillis(500);

  private final JobRegistry registry;
  private final Map<RunningJob, Own> jobs = new LinkedHashMap<>();
  private boolean isFollowed;

  /** What is to be entered of a job. */
  private static final class Own {
    private final String name;
    private final String policy;
    private final long startedAt = System.currentTimeMillis();
    private volatile Optional<JobEntry> entered = Optional.empty();
    private volatile boolean isCancelled;

    private Own(String name, String policy) {
      this.name = name;
      this.policy = policy;
    }
  }

  OwnJobs(JobRegistry registry) {
    this.registry = registry;
  }

  /**
   * A job was submitted; it is followed to its end.
   *
   * @param name what a person calls it
   * @param policy that optimized it
   */
  public synchronized void add(RunningJob job, String name, String policy) {
    jobs.put(job, new Own(name, policy));
    if (!isFollowed) {
      isFollowed = true;
      Thread thread = new Thread(this::follow, "anemone-registry");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Somebody has seen the end of a job. */
  public void ended(RunningJob job) {
    Own own;
    synchronized (this) {
      own = jobs.remove(job);
      notifyAll();
    }
    if (own != null && own.entered.isPresent()) {
      remove(job);
    }
  }

  private void follow() {
    try {
      while (waitForNextLook()) {
        for (Map.Entry<RunningJob, Own> job : copy()) {
          look(job.getKey(), job.getValue());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says whether there is a job then; if not, the thread ends. */
  private synchronized boolean waitForNextLook() throws InterruptedException {
    long deadline = System.nanoTime() + POLL.toNanos();
    long left = POLL.toNanos();
    while (left > 0 && !jobs.isEmpty()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadline - System.nanoTime();
    }
    isFollowed = !jobs.isEmpty();
    return isFollowed;
  }

  private synchronized List<Map.Entry<RunningJob, Own>> copy() {
    return new ArrayList<>(jobs.entrySet());
  }

  private void look(RunningJob job, Own own) {
    if (job.state().isFinal()) {
      ended(job);
      return;
    }
    try {
      // A cluster names its application later.
      JobEntry entry =
          JobEntry.ofThisProcess(
              job.id(), own.name, own.policy, own.startedAt, job.applicationId());
      if (!own.entered.equals(Optional.of(entry))) {
        own.entered = Optional.of(entry);
        registry.enter(entry);
      } else if (!own.isCancelled && registry.isToBeCancelled(job.id())) {
        own.isCancelled = true;
        System.err.println(
            "anemone: job " + own.name + " is cancelled, as 'anemone jobs kill' asks for it.");
        job.cancel();
      }
    } catch (IOException | RuntimeException e) {
      // The job itself does not need it.
      LOG.warn("Job {} cannot be seen or ended by other programs", own.name, e);
    }
    if (!isKnown(job)) {
      // It has ended while it was entered.
      remove(job);
    }
  }

  private synchronized boolean isKnown(RunningJob job) {
    return jobs.containsKey(job);
  }

  private void remove(RunningJob job) {
    try {
      registry.remove(job.id());
    } catch (IOException e) {
      LOG.warn("What is left of job {} goes when jobs are listed", job.id(), e);
    }
  }
}
