// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.time.Duration;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The events of a job while it runs, and after it. Whoever subscribes gets all of them, from the
 * first one on, at its own pace. Nothing is dropped but what is told of progress and of metrics
 * while the job runs: of the former a few hundred events are kept, of the latter the last one. So
 * what is held is bounded by the number of task attempts. Thread-safe; no subscriber holds up the
 * job.
 */
public final class JobEvents {

  private final String jobId;
  private final NavigableMap<Long, JobEvent> events = new TreeMap<>();
  private final ProgressPace pace = new ProgressPace();
  private long next;
  private long passing = -1;
  private long metrics = -1;
  private boolean ended;

  /** The events of a job that has not begun. */
  public JobEvents(String jobId) {
    this.jobId = jobId;
  }

  public String jobId() {
    return jobId;
  }

  /** Adds an event; does nothing after a {@link JobFinished}, which is the last one. */
  public synchronized void publish(JobEvent event) {
    if (ended) {
      return;
    }
    long number = next++;
    events.put(number, event);
    if (event instanceof JobProgress) {
      events.remove(passing);
      passing = pace.keeps(event.time()) ? -1 : number;
    } else if (event instanceof MetricValues) {
      events.remove(metrics);
      metrics = number;
    }
    ended = event instanceof JobFinished;
    notifyAll();
  }

  /** All events from the first one on. */
  public Subscription subscribe() {
    return new Subscription();
  }

  private synchronized Optional<JobEvent> after(Subscription reader, Duration atMost)
      throws InterruptedException {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (true) {
      var entry = events.higherEntry(reader.last);
      if (entry != null) {
        reader.last = entry.getKey();
        return Optional.of(entry.getValue());
      }
      long left = deadline - System.nanoTime();
      if (ended || left <= 0) {
        return Optional.empty();
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
  }

  private synchronized boolean isAtEnd(long last) {
    return ended && events.higherKey(last) == null;
  }

  /** A reader of the events. Used by one thread at a time. */
  public final class Subscription {

    private long last = -1;

    private Subscription() {}

    /**
     * The next event.
     *
     * @param atMost how long to wait for it
     * @return empty when there is none after that time, or at the end
     */
    public Optional<JobEvent> next(Duration atMost) throws InterruptedException {
      return after(this, atMost);
    }

    /** Whether the job has ended, and all its events have been read. */
    public boolean isAtEnd() {
      return JobEvents.this.isAtEnd(last);
    }
  }
}
