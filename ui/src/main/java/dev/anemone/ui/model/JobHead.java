// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.PushdownDecided;
import dev.anemone.runtime.event.RangesRedrawn;
import dev.anemone.runtime.event.StagesPlanned;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All of a job but its plans and attempts.
 *
 * @param summary as in a list
 * @param version of the model that this was taken from
 * @param started the job's first event; empty where it is missing
 * @param stages in the order in which data flows
 * @param links between stages
 * @param counts of each stage, in the order of {@code stages}
 * @param executors in the order in which they came
 * @param memory that executors had in use, over time
 * @param redraws what came of samples
 * @param edges what went over edges; empty before the job's end
 * @param pushdowns where operators of sources ran
 * @param metrics of the program; empty before there are any
 * @param failure why the job failed
 * @param remarks what a reader must know of the events themselves
 * @param plans how many there are
 * @param criticalPath see {@link CriticalPath}
 */
public record JobHead(
    JobSummary summary,
    long version,
    Optional<JobStarted> started,
    List<StagesPlanned.Stage> stages,
    List<StagesPlanned.StageLink> links,
    List<StageView> counts,
    List<ExecutorView> executors,
    Map<String, List<MemorySeries.Point>> memory,
    List<RangesRedrawn> redraws,
    Optional<EdgesCounted> edges,
    List<PushdownDecided> pushdowns,
    Optional<MetricValues> metrics,
    Optional<JobFinished.Failure> failure,
    List<String> remarks,
    int plans,
    List<Integer> criticalPath) {}
