// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.MetricValues;
import java.util.List;
import java.util.Optional;

/**
 * Reads the program's metrics, and what else there is, in what tasks report, where nobody has the
 * job's {@link JobStory}: in the application master of a job that goes on without its client. Front
 * ends that have metrics bring one, which {@link java.util.ServiceLoader} finds.
 */
public interface MetricReports {

  /**
   * The metrics.
   *
   * @param reports of tasks that have succeeded
   * @param time of the event, in milliseconds since 1970
   * @return empty when these are no reports of this front end
   */
  Optional<MetricValues> read(List<TaskReport> reports, long time);

  /**
   * What tasks told beside metrics, as events; as {@link JobStory#events}.
   *
   * @param reports of tasks that have succeeded
   */
  default List<JobEvent> events(List<TaskReport> reports) {
    return List.of();
  }
}
