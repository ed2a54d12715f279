// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobEventListener;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.PlanMade;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the front end tells of a job to those who watch it. Asked only when somebody does.
 * Thread-safe.
 */
public interface JobStory {

  /** Of a front end that tells nothing. */
  JobStory NONE =
      new JobStory() {
        @Override
        public String policy() {
          return "";
        }

        @Override
        public Map<String, String> options() {
          return Map.of();
        }

        @Override
        public List<PlanMade> plans() {
          return List.of();
        }

        @Override
        public Optional<MetricValues> metrics(List<TaskReport> reports) {
          return Optional.empty();
        }
      };

  /** The policy, or the passes that were asked for instead. */
  String policy();

  /** Options by name, without secrets. */
  Map<String, String> options();

  /** The graph after each pass. */
  List<PlanMade> plans();

  /**
   * The program's metrics.
   *
   * @param reports of the tasks that have succeeded
   * @return empty when the front end has no metrics
   */
  Optional<MetricValues> metrics(List<TaskReport> reports);

  /**
   * The program's metrics by what attempts have counted so far, whatever becomes of them.
   *
   * @param shared what the job's tasks in this JVM share under a key
   * @return empty when none are known, as of tasks in other JVMs
   */
  default Optional<MetricValues> attempted(Function<String, Optional<Object>> shared) {
    return Optional.empty();
  }

  /**
   * What tasks told beside metrics, as events.
   *
   * @param reports of tasks that have succeeded, which were not asked about before
   */
  default List<JobEvent> events(List<TaskReport> reports) {
    return List.of();
  }

  /** Those who watch this job alone, besides those of the whole JVM. */
  default List<JobEventListener> listeners() {
    return List.of();
  }

  /** The same story, with one more who watches this job alone. */
  default JobStory watchedBy(JobEventListener listener) {
    return new WatchedStory(this, listener);
  }
}
