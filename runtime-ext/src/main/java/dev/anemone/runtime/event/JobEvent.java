// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * Something that happened to a job. The components of an event are the fields of its line in an
 * event log, so their names and meanings stay.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = JobStarted.class, name = "job-started"),
  @JsonSubTypes.Type(value = PlanMade.class, name = "plan"),
  @JsonSubTypes.Type(value = StagesPlanned.class, name = "stages"),
  @JsonSubTypes.Type(value = ExecutorStarted.class, name = "executor-started"),
  @JsonSubTypes.Type(value = ExecutorLost.class, name = "executor-lost"),
  @JsonSubTypes.Type(value = TaskFinished.class, name = "task-finished"),
  @JsonSubTypes.Type(value = JobProgress.class, name = "progress"),
  @JsonSubTypes.Type(value = RangesRedrawn.class, name = "redraw"),
  @JsonSubTypes.Type(value = EdgesCounted.class, name = "edges"),
  @JsonSubTypes.Type(value = PushdownDecided.class, name = "pushdown"),
  @JsonSubTypes.Type(value = MetricValues.class, name = "metrics"),
  @JsonSubTypes.Type(value = JobFinished.class, name = "job-finished"),
})
public sealed interface JobEvent
    permits JobStarted,
        PlanMade,
        StagesPlanned,
        ExecutorStarted,
        ExecutorLost,
        TaskFinished,
        JobProgress,
        RangesRedrawn,
        EdgesCounted,
        PushdownDecided,
        MetricValues,
        JobFinished {

  /** When it happened, in milliseconds since 1970. */
  long time();
}
