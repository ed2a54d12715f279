// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which of a job's events go into its log: of what is told of progress a few hundred, and of
 * metrics the last that are told before the job's end. Not thread-safe.
 */
public final class LoggedEvents {

  private final boolean ofRunningJob;
  private final ProgressPace pace = new ProgressPace();
  private final ProgressPace metricsPace = new ProgressPace();
  private Optional<JobEvent> metrics = Optional.empty();

  private LoggedEvents(boolean ofRunningJob) {
    this.ofRunningJob = ofRunningJob;
  }

  /** Those of a log, which has the metrics of the job's end. */
  public static LoggedEvents ofLog() {
    return new LoggedEvents(false);
  }

  /** Those for somebody who follows a job: metrics, too, as often as what is told of progress. */
  public static LoggedEvents ofRunningJob() {
    return new LoggedEvents(true);
  }

  /** What is to be written, given the next event. */
  public List<JobEvent> after(JobEvent event) {
    if (event instanceof MetricValues && ofRunningJob && metricsPace.keeps(event.time())) {
      metrics = Optional.empty();
      return List.of(event);
    }
    if (event instanceof MetricValues) {
      metrics = Optional.of(event);
      return List.of();
    }
    if (event instanceof JobProgress) {
      return pace.keeps(event.time()) ? List.of(event) : List.of();
    }
    if (event instanceof JobFinished) {
      List<JobEvent> last = new ArrayList<>();
      metrics.ifPresent(last::add);
      last.add(event);
      return last;
    }
    return List.of(event);
  }
}
