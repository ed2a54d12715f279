// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.ExecutorLost;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.PlanMade;
import dev.anemone.runtime.event.PushdownDecided;
import dev.anemone.runtime.event.RangesRedrawn;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as its events tell it: what a page shows. Events are added in their order, from a log or
 * while the job runs; whatever has come until then can be shown at any time. Thread-safe.
 */
public final class JobModel {

  /** Most points of memory that are kept of an executor; then every other one is dropped. */
  private static final int MEMORY_POINTS = 600;

  private final String id;
  private JobStarted started;
  private JobFinished finished;
  private StagesPlanned stages = new StagesPlanned(0, List.of(), List.of());
  private JobProgress progress;
  private EdgesCounted edges;
  private MetricValues metrics;
  private final List<PlanMade> plans = new ArrayList<>();
  private final List<TaskFinished> attempts = new ArrayList<>();
  private final List<RangesRedrawn> redraws = new ArrayList<>();
  private final List<PushdownDecided> pushdowns = new ArrayList<>();
  private final Map<String, ExecutorView> executors = new LinkedHashMap<>();
  private final Map<String, MemorySeries> memory = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();
  private long firstTime;
  private long lastTime;
  private long version;
  private boolean endsHere;

  /**
   * A job of which nothing is known.
   *
   * @param id how the job is found; its own id, unless two logs have the same
   */
  public JobModel(String id) {
    this.id = id;
  }

  /** How the job is found. */
  public String id() {
    return id;
  }

  /** Takes in an event. */
  public synchronized void add(JobEvent event) {
    version++;
    firstTime = firstTime == 0 ? event.time() : Math.min(firstTime, event.time());
    lastTime = Math.max(lastTime, event.time());
    if (event instanceof JobStarted start) {
      started = start;
    } else if (event instanceof PlanMade plan) {
      plans.add(plan);
    } else if (event instanceof StagesPlanned planned) {
      stages = planned;
    } else if (event instanceof ExecutorStarted executor) {
      executors.put(executor.executor(), ExecutorView.of(executor));
    } else if (event instanceof ExecutorLost lost) {
      executors.compute(
          lost.executor(),
          (name, known) ->
              (known == null ? ExecutorView.unknown(name, lost.time()) : known).lost(lost));
    } else if (event instanceof TaskFinished attempt) {
      attempts.add(attempt);
    } else if (event instanceof JobProgress now) {
      progress = now;
      now.memory()
          .forEach(
              (executor, use) ->
                  memory
                      .computeIfAbsent(executor, name -> new MemorySeries(MEMORY_POINTS))
                      .add(now.time(), use));
    } else if (event instanceof RangesRedrawn redraw) {
      redraws.add(redraw);
    } else if (event instanceof EdgesCounted counted) {
      edges = counted;
    } else if (event instanceof PushdownDecided decided) {
      pushdowns.add(decided);
    } else if (event instanceof MetricValues values) {
      metrics = values;
    } else if (event instanceof JobFinished end) {
      finished = end;
    }
  }

  /**
   * Nothing more will come: a job that has not said that it has ended was killed, or its log was
   * cut off.
   */
  public synchronized void end() {
    version++;
    endsHere = true;
  }

  /** Something to say about the events themselves, such as lines that could not be read. */
  public synchronized void remark(String text) {
    version++;
    remarks.add(text);
  }

  /** A number that is another one whenever the model has changed. */
  public synchronized long version() {
    return version;
  }

  /** What a list of jobs shows. */
  public synchronized JobSummary summary() {
    return new JobSummary(
        id,
        started == null ? "" : started.name(),
        started == null ? "" : started.policy(),
        state(),
        firstTime,
        lastTime,
        attempts.size());
  }

  /** All but the plans and the attempts, which may be many. */
  public synchronized JobHead head() {
    List<TaskFinished> known = List.copyOf(attempts);
    return new JobHead(
        summary(),
        version,
        Optional.ofNullable(started),
        stages.stages(),
        stages.links(),
        StageView.of(stages, known, progress),
        List.copyOf(executors.values()),
        memoryByExecutor(),
        List.copyOf(redraws),
        Optional.ofNullable(edges),
        List.copyOf(pushdowns),
        Optional.ofNullable(metrics),
        finished == null ? Optional.empty() : finished.failure(),
        remarks(),
        plans.size(),
        CriticalPath.of(stages, known));
  }

  /** The plans, each with the pass that made it, in their order. */
  public synchronized List<PlanMade> plans() {
    return List.copyOf(plans);
  }

  /**
   * Attempts in the order in which they ended.
   *
   * @param from how many to leave out at the beginning; all, where there are no more
   */
  public synchronized List<TaskFinished> attempts(int from) {
    return List.copyOf(
        attempts.subList(Math.min(Math.max(from, 0), attempts.size()), attempts.size()));
  }

  private Map<String, List<MemorySeries.Point>> memoryByExecutor() {
    Map<String, List<MemorySeries.Point>> points = new LinkedHashMap<>();
    memory.forEach((executor, series) -> points.put(executor, series.points()));
    return points;
  }

  private JobState state() {
    if (finished != null) {
      return JobState.valueOf(finished.state().name());
    }
    return endsHere ? JobState.UNFINISHED : JobState.RUNNING;
  }

  private List<String> remarks() {
    List<String> all = new ArrayList<>(remarks);
    if (state() == JobState.UNFINISHED) {
      all.add(
          0,
          "The log does not say how the job ended: it still runs, was killed, or its log was cut"
              + " off. This is the last that is known.");
    }
    if (started != null && started.version() > JobStarted.VERSION) {
      all.add(
          "The log is of version "
              + started.version()
              + ", and this program knows "
              + JobStarted.VERSION
              + ": something may be missing here.");
    }
    return all;
  }
}
