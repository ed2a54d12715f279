// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.tez.job.ReceiverAnnouncement;
import dev.anemone.runtime.tez.job.ReceiverAnnouncements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Decides when the tasks of a stage are told where aggregation tasks listen. Each time costs the
 * master an event for each task, which Tez keeps as long as the job runs. So news is collected
 * after the first: the next time comes when an eighth of the time since the first announcement has
 * gone by since the last, and never so soon that the events would keep the master busy. In a time
 * {@code t} the tasks are told some {@code 8 ln t} times, however many aggregation tasks there are
 * and however they come. What a task pushes to nobody meanwhile lies in its block, and is pulled.
 *
 * <p>Thread-safe.
 */
final class ReceiverNews {

  /** What handing an event to Tez, and from there to a task, may take of the master's time. */
  private static final Duration PER_TASK = Duration.ofNanos(100_000);

  private static final int SHARE = 8;

  private final IntSupplier tasks;
  private final Consumer<ReceiverAnnouncements> toAllTasks;
  private final MasterTimer timer;
  private final Map<Receiver, ReceiverAnnouncement> news = new LinkedHashMap<>();
  private boolean collecting;
  private boolean begun;
  private long firstNanos;

  /** An aggregation task. */
  private record Receiver(String stage, int task) {}

  /**
   * News for a stage.
   *
   * @param tasks how many tasks the stage has
   * @param toAllTasks tells them
   */
  ReceiverNews(IntSupplier tasks, Consumer<ReceiverAnnouncements> toAllTasks, MasterTimer timer) {
    this.tasks = tasks;
    this.toAllTasks = toAllTasks;
    this.timer = timer;
  }

  /** Takes an announcement, of which the tasks are told now or later. */
  synchronized void add(ReceiverAnnouncement announcement) {
    if (!begun) {
      begun = true;
      firstNanos = timer.nanoTime();
    }
    news.merge(
        new Receiver(announcement.stage(), announcement.task()),
        announcement,
        (known, other) -> other.attempt() >= known.attempt() ? other : known);
    if (!collecting) {
      tell();
    }
  }

  private void tell() {
    List<ReceiverAnnouncement> told = new ArrayList<>(news.values());
    news.clear();
    collecting = true;
    long elapsed = timer.nanoTime() - firstNanos;
    long pause = Math.max(elapsed / SHARE, PER_TASK.toNanos() * tasks.getAsInt());
    timer.runAfter(Duration.ofNanos(pause), this::pauseEnded);
    toAllTasks.accept(new ReceiverAnnouncements(told));
  }

  private synchronized void pauseEnded() {
    collecting = false;
    if (!news.isEmpty()) {
      tell();
    }
  }
}
