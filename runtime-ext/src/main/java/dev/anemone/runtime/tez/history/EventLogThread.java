// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.LoggedEvents;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the events of a job to its log as they come, on a thread of its own, so that a slow file
 * system does not hold up the job. What cannot be written is said once, and the job goes on.
 */
public final class EventLogThread {

  private static final Logger LOG = LoggerFactory.getLogger(EventLogThread.class);

  /** Who follows a log sees an event so late at most; nobody waits for it, so it is no option. */
  private static final Duration FLUSH = Duration.ofSeconds(1);

  private final JobEvents.Subscription events;
  private final EventLogFile file;
  private final LoggedEvents logged;
  private final Thread thread;

  /**
   * Begins to write; the file is closed when the job has ended.
   *
   * @param logged which of the events are written
   */
  public static EventLogThread start(JobEvents events, EventLogFile file, LoggedEvents logged) {
    EventLogThread log = new EventLogThread(events, file, logged);
    log.thread.start();
    return log;
  }

  private EventLogThread(JobEvents events, EventLogFile file, LoggedEvents logged) {
    this.logged = logged;
    this.events = events.subscribe();
    this.file = file;
    this.thread = new Thread(this::run, "anemone-event-log-" + events.jobId());
    thread.setDaemon(true);
  }

  /** Waits until the log is whole, as the last event has been published. */
  public void join(Duration atMost) throws InterruptedException {
    thread.join(atMost.toMillis());
    if (thread.isAlive()) {
      LOG.warn("The event log of {} is not whole: its file system gives no answer", thread);
    }
  }

  private void run() {
    try (file) {
      while (!events.isAtEnd()) {
        List<JobEvent> lines = new ArrayList<>();
        some().forEach(event -> lines.addAll(logged.after(event)));
        if (!lines.isEmpty()) {
          file.write(lines);
        }
      }
      file.finish();
    } catch (IOException e) {
      LOG.warn("The event log ends before its job, as it cannot be written", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for an event, and takes what comes within the time in which it is to be visible. */
  private List<JobEvent> some() throws InterruptedException {
    List<JobEvent> some = new ArrayList<>();
    long end = System.nanoTime() + FLUSH.toNanos();
    for (Duration left = FLUSH;
        !left.isNegative();
        left = Duration.ofNanos(end - System.nanoTime())) {
      Optional<JobEvent> event = events.next(left);
      if (event.isEmpty()) {
        break;
      }
      some.add(event.get());
    }
    return some;
  }
}
