// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a job ended.
 *
 * @param state a final state
 * @param failure why it failed: the user's exception where there was one; present exactly when the
 *     state is {@link JobState#FAILED}
 * @param failureSite where it failed; present exactly when {@code failure} is
 * @param reports what the operators of the successful task attempts reported, one attempt per task;
 *     after a failure, those of the tasks that had succeeded
 * @param edges what went over the edges between stages, by edge id; where several edges share a
 *     link, their ids are joined by {@code +}
 * @param readBytes how much each consumer task read over an edge, named likewise: bytes of keys and
 *     values before compression
 * @param redraws what came of the samples, in the order of their messages
 */
public record JobResult(
    JobState state,
    Optional<Throwable> failure,
    Optional<FailureSite> failureSite,
    List<TaskReport> reports,
    Map<String, EdgeCounters> edges,
    Map<String, List<Long>> readBytes,
    List<Redraw> redraws) {

  public JobResult {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(failure, "failure");
    Objects.requireNonNull(failureSite, "failureSite");
    reports = List.copyOf(reports);
    edges = Collections.unmodifiableMap(new TreeMap<>(edges));
    readBytes = Collections.unmodifiableMap(new TreeMap<>(readBytes));
    redraws = List.copyOf(redraws);
  }
}
