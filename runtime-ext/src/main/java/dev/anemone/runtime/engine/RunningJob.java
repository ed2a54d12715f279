// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.MetricValues;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A job that was submitted. Thread-safe. */
public interface RunningJob {

  String id();

  /**
   * The id that a cluster has given to the application which runs the job; empty when it runs in
   * this JVM, or the cluster has not been asked yet.
   */
  Optional<String> applicationId();

  /**
   * What the job's tasks {@linkplain dev.anemone.runtime.spi.TaskContext#shared share} under a key;
   * empty when no task has made it, tasks run in other JVMs, or the job has ended.
   */
  default Optional<Object> shared(String key) {
    return Optional.empty();
  }

  /**
   * What tasks that have succeeded have reported until now; empty when the job has not begun. The
   * result has all of it, and is what counts when the job has ended.
   */
  default List<TaskReport> reportsSoFar() {
    return List.of();
  }

  /**
   * What attempts have counted of the program's metrics until now, those that run included, as far
   * as an application master on a cluster knows it by their heartbeats; empty where none has told
   * anything.
   */
  default Optional<MetricValues> attemptedSoFar() {
    return Optional.empty();
  }

  /** What happens to the job; empty when nobody has asked for it. */
  default Optional<JobEvents> events() {
    return Optional.empty();
  }

  /** Where the job stands now. */
  JobState state();

  /**
   * Waits for the job's end.
   *
   * @param timeout how long at most; empty for as long as the job takes
   * @return the result, or empty when the job still runs after the timeout
   */
  Optional<JobResult> await(Optional<Duration> timeout) throws InterruptedException;

  /** Ends the job; returns when it has been asked to end. Does nothing when it has ended. */
  void cancel();
}
