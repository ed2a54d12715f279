// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.job;

import dev.anemone.evaluation.lab.process.ProcessFigures.ProcessCost;
import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.EdgesCounted.EdgeTotals;
import dev.anemone.ui.model.JobHead;
import dev.anemone.ui.model.StageView;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * What a job cost that ran in a JVM of its own.
 *
 * @param seconds from the job's first event to its last
 * @param cpuSeconds of all threads, in the kernel and outside, with the start of the JVM
 * @param peakBytes the most that the JVM had in memory
 * @param gcSeconds that collections of garbage stopped the JVM
 * @param blockedSeconds that tasks waited for what others have written, and pushed, summed over
 *     tasks
 * @param storedBytes that went over edges, pushed or stored, as they were sent
 * @param pushedBytes those of them that were pushed
 * @param transportBytes those of them that went by one-sided reads
 * @param fallenBackBytes that should have been pushed and were left in local files
 * @param cacheHitBytes that copies of pages of a pool gave
 * @param spilledBytes that were written because memory was full
 */
public record JobCost(
    double seconds,
    double cpuSeconds,
    long peakBytes,
    double gcSeconds,
    double blockedSeconds,
    long storedBytes,
    long pushedBytes,
    long transportBytes,
    long fallenBackBytes,
    long cacheHitBytes,
    long spilledBytes) {

  static JobCost of(JobHead job, ProcessCost process, double gcSeconds) {
    List<AttemptTimes> times = job.counts().stream().map(StageView::times).toList();
    Collection<EdgeTotals> edges =
        job.edges().map(counted -> counted.edges().values()).orElse(List.of());
    return new JobCost(
        (job.summary().lastAt() - job.summary().startedAt()) / 1e3,
        process.userCpuSeconds() + process.systemCpuSeconds(),
        process.peakResidentBytes(),
        gcSeconds,
        times.stream().mapToLong(time -> time.fetchWait() + time.push()).sum() / 1e3,
        sum(edges, EdgeTotals::storedBytes),
        sum(edges, EdgeTotals::pushedBytes),
        sum(edges, EdgeTotals::transportBytes),
        sum(edges, EdgeTotals::fallenBackBytes),
        sum(edges, EdgeTotals::cacheHitBytes),
        sum(edges, EdgeTotals::spilledBytes));
  }

  /** What a program cost that has no job of this project's: its whole process. */
  public static JobCost of(ProcessCost process) {
    return new JobCost(
        process.wallSeconds(),
        process.userCpuSeconds() + process.systemCpuSeconds(),
        process.peakResidentBytes(),
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0);
  }

  /** What was pushed of what should have been, in percent; not a number where nothing should. */
  public double pushedPercent() {
    return 100.0 * pushedBytes / (pushedBytes + fallenBackBytes);
  }

  private static long sum(Collection<EdgeTotals> edges, ToLongFunction<EdgeTotals> figure) {
    return edges.stream().mapToLong(figure).sum();
  }
}
