// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.engine.EdgeCounters;
import dev.anemone.runtime.engine.FailureSite;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.MetricReports;
import dev.anemone.runtime.engine.Redraw;
import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.EdgesCounted.EdgeTotals;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.RangesRedrawn;
import dev.anemone.runtime.event.StagesPlanned;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a job's result is as events. */
public final class EndEvents {

  private EndEvents() {}

  /**
   * The last events of a job, of which the very last says that it has ended.
   *
   * @param stages the job's
   * @param metrics what the program has counted
   * @param time of the end, in milliseconds since 1970
   */
  public static List<JobEvent> of(
      JobResult result, StagesPlanned stages, Optional<MetricValues> metrics, long time) {
    List<JobEvent> events = new ArrayList<>();
    stages.withTasks(drawnTasks(result, stages), time).ifPresent(events::add);
    for (Redraw redraw : result.redraws()) {
      redraw.shuffles().forEach(shuffle -> events.add(redrawn(redraw, shuffle, stages, time)));
    }
    if (!result.edges().isEmpty() || !result.readBytes().isEmpty()) {
      events.add(new EdgesCounted(time, totals(result.edges()), result.readBytes()));
    }
    metrics.ifPresent(events::add);
    events.add(finished(result, time));
    return events;
  }

  /** What stages were made of that were drawn anew: a short job has told nobody. */
  private static Map<String, Integer> drawnTasks(JobResult result, StagesPlanned stages) {
    Map<String, Integer> tasks = new TreeMap<>();
    for (Redraw redraw : result.redraws()) {
      for (Redraw.Shuffle shuffle : redraw.shuffles()) {
        stages
            .consumerOf(shuffle.edge())
            .ifPresent(stage -> tasks.put(stage, shuffle.after().size()));
      }
    }
    return tasks;
  }

  /**
   * The same after what a job's tasks have told and counted, as the front end reads it.
   *
   * @param loader finds the front end
   */
  public static List<JobEvent> withReports(
      JobResult result, StagesPlanned stages, ClassLoader loader, long time) {
    List<JobEvent> events = new ArrayList<>();
    readers(loader).forEach(reader -> events.addAll(reader.events(result.reports())));
    Optional<MetricValues> metrics =
        readers(loader).flatMap(reader -> reader.read(result.reports(), time).stream()).findFirst();
    events.addAll(of(result, stages, metrics, time));
    return events;
  }

  private static Stream<MetricReports> readers(ClassLoader loader) {
    return ServiceLoader.load(MetricReports.class, loader).stream()
        .map(ServiceLoader.Provider::get);
  }

  private static RangesRedrawn redrawn(
      Redraw redraw, Redraw.Shuffle shuffle, StagesPlanned stages, long time) {
    return new RangesRedrawn(
        time,
        redraw.messageId(),
        stages.consumerOf(shuffle.edge()).orElse(""),
        shuffle.edge(),
        shuffle.before(),
        shuffle.after(),
        shuffle.partitions(),
        shuffle.hot(),
        redraw.sampledTasks(),
        redraw.heldTasks(),
        redraw.sampleMillis(),
        redraw.passMillis(),
        redraw.notes());
  }

  private static Map<String, EdgeTotals> totals(Map<String, EdgeCounters> edges) {
    Map<String, EdgeTotals> totals = new TreeMap<>();
    edges.forEach((edge, counters) -> totals.put(edge, totals(counters)));
    return totals;
  }

  private static EdgeTotals totals(EdgeCounters of) {
    return new EdgeTotals(
        of.written().records(),
        of.written().rawBytes(),
        of.written().storedBytes(),
        of.spilled().spills(),
        of.spilled().spilledBytes(),
        of.disk().diskReads(),
        of.disk().diskSeeks(),
        of.disk().diskReadBytes(),
        of.pooled().poolWrittenBytes(),
        of.pooled().overflowedBytes(),
        of.pooled().poolReadBytes(),
        of.cached().cacheHits(),
        of.cached().cacheMisses(),
        of.cached().cacheHitBytes(),
        of.cached().nameHits(),
        of.cached().nameMisses(),
        of.pushed().pushedBytes(),
        of.pushed().transportBytes(),
        of.pushed().fallenBackBytes(),
        of.fetched().fetchedBytes(),
        of.fetched().transportFetchedBytes(),
        of.memoryPeakBytes());
  }

  private static JobFinished finished(JobResult result, long time) {
    return new JobFinished(
        time,
        state(result.state()),
        result.failure().map(failure -> failure(failure, result.failureSite())));
  }

  private static JobFinished.State state(JobState state) {
    return switch (state) {
      case SUCCEEDED -> JobFinished.State.SUCCEEDED;
      case CANCELLED -> JobFinished.State.CANCELLED;
      case FAILED -> JobFinished.State.FAILED;
      case RUNNING -> throw new IllegalArgumentException("the job has not ended");
    };
  }

  private static JobFinished.Failure failure(Throwable thrown, Optional<FailureSite> site) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace, true));
    return new JobFinished.Failure(
        thrown.toString(),
        trace.toString(),
        site.flatMap(FailureSite::stage),
        site.flatMap(FailureSite::task),
        Optional.empty());
  }
}
