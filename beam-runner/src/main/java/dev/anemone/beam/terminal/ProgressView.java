// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import dev.anemone.ir.IRDag;
import dev.anemone.runtime.event.JobEventListener;
import dev.anemone.runtime.event.JobEvents;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Shows on standard error how far a job is: on a terminal a line for each stage that runs, which is
 * redrawn; elsewhere plain lines every ten seconds, and nothing of a job that is shorter. A thread
 * of its own follows the job. Thread-safe.
 */
public final class ProgressView implements JobEventListener {

  /** What comes and goes at once can be read by nobody. */
  private static final Duration SHORT = Duration.ofMillis(700);

  /** Within it the events of a job that has ended are read. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final JobFigures figures;
  private final Optional<String> logs;
  private final List<String> results;
  private final Supplier<ProgressDisplay> displays;
  private Optional<Thread> following = Optional.empty();
  private volatile boolean isShown;

  /**
   * A view of one job.
   *
   * @param displays opens where it is shown, when the job has taken some time
   */
  ProgressView(
      SourceSizes sources,
      Optional<String> logs,
      List<String> results,
      Supplier<ProgressDisplay> displays) {
    this.figures = new JobFigures(sources);
    this.logs = logs;
    this.results = List.copyOf(results);
    this.displays = displays;
  }

  /**
   * A view of a job that is about to be submitted.
   *
   * @param plan what it runs
   * @param logs directory of event logs, in a file system of Beam's, where the same job may have
   *     one of an earlier run; empty for none
   * @param results where it writes to; empty when that is not known
   */
  public static ProgressView of(IRDag plan, Optional<String> logs, List<String> results) {
    return new ProgressView(SourceSizes.of(plan), logs, results, ProgressDisplay::ofStandardError);
  }

  /** A view of a job that was attached. */
  public static ProgressView ofAttached() {
    return new ProgressView(
        SourceSizes.UNKNOWN, Optional.empty(), List.of(), ProgressDisplay::ofStandardError);
  }

  /** Nothing here is drawn of plans and metrics. */
  @Override
  public boolean wantsStory() {
    return false;
  }

  @Override
  public synchronized void began(JobEvents events) {
    Thread thread =
        new Thread(() -> follow(events.subscribe()), "anemone-progress-" + events.jobId());
    thread.setDaemon(true);
    thread.start();
    following = Optional.of(thread);
  }

  private void follow(JobEvents.Subscription events) {
    Optional<ProgressDisplay> display = Optional.empty();
    LastRun before = LastRun.NONE;
    long begin = System.nanoTime();
    long next = begin + SHORT.toNanos();
    try {
      while (!events.isAtEnd()) {
        events.next(Duration.ofNanos(next - System.nanoTime())).ifPresent(figures::add);
        if (System.nanoTime() < next || events.isAtEnd()) {
          continue;
        }
        if (display.isEmpty()) {
          display = Optional.of(displays.get());
          before = lastRun();
          next = Math.max(System.nanoTime(), begin + display.get().pace().toNanos());
        } else {
          isShown = true;
          display.get().show(figures, before);
          next = System.nanoTime() + display.get().pace().toNanos();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      display.ifPresent(ProgressDisplay::clear);
    }
  }

  private LastRun lastRun() {
    return logs.map(directory -> LastRun.find(directory, figures.stageNames()))
        .orElse(LastRun.NONE);
  }

  /**
   * The job has ended, and all its events have been published: says in a line what came of it, when
   * it was long enough to be shown before. To be called once.
   *
   * @param report the file with the job's page; empty for none
   * @return whether there was such a line
   */
  public boolean finish(Optional<String> report, PrintStream out) {
    Optional<Thread> thread;
    synchronized (this) {
      thread = following;
    }
    try {
      if (thread.isPresent()) {
        thread.get().join(PATIENCE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    if (!isShown || thread.get().isAlive()) {
      return false;
    }
    out.println(ProgressText.end(figures, results, report));
    return true;
  }
}
