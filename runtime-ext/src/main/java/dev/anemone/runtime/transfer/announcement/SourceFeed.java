// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer.announcement;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Brings a task the news of the producers of its links, in the order in which they come, and takes
 * its complaints. Thread-safe.
 */
public final class SourceFeed {

  /** Takes the complaint that an attempt's data cannot be had. */
  @FunctionalInterface
  public interface LossReporter {

    /**
     * Reports a loss.
     *
     * @param source the producer task
     * @param version its attempt
     * @param loss how sure that is
     * @param reason what happened
     */
    void lost(Source source, int version, Loss loss, String reason);
  }

  private final BlockingQueue<InputEvent> events = new LinkedBlockingQueue<>();
  private final LossReporter reporter;

  /** A feed whose complaints go to {@code reporter}. */
  public SourceFeed(LossReporter reporter) {
    this.reporter = reporter;
  }

  /** Adds news. */
  public void add(InputEvent event) {
    events.add(event);
  }

  /**
   * The next news. Waits for it as long as the job runs, since a producer may take any time; when
   * the job or this attempt ends, the engine interrupts the wait.
   */
  public InputEvent take() throws InterruptedException {
    return events.take();
  }

  /** The next news, if there is any. */
  public Optional<InputEvent> poll() {
    return Optional.ofNullable(events.poll());
  }

  /** The next news, if there is any within a time. */
  public Optional<InputEvent> poll(Duration atMost) throws InterruptedException {
    return Optional.ofNullable(events.poll(atMost.toNanos(), TimeUnit.NANOSECONDS));
  }

  /** Reports that an attempt's data cannot be had. */
  public void lost(Source source, int version, Loss loss, String reason) {
    reporter.lost(source, version, loss, reason);
  }
}
