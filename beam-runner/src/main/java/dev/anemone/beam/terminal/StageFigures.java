// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import dev.anemone.runtime.event.JobProgress.StageProgress;
import dev.anemone.runtime.event.TaskFinished;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How far a stage is, as events tell. Not thread-safe. */
final class StageFigures {

  private final String id;
  private final String name;
  private final boolean readsStages;
  private final Optional<List<Long>> sourceBytes;
  private final Map<Integer, TaskFinished> succeeded = new HashMap<>();
  private StageProgress counted;
  private int tasks;
  private long begunAt;

  /**
   * A stage of which nothing has run.
   *
   * @param id unique in the job
   * @param name what a person calls it
   * @param tasks how many it has
   * @param readsStages whether it reads what other stages have written
   * @param sourceBytes how much each task reads of a source; empty when that is not known
   */
  StageFigures(
      String id, String name, int tasks, boolean readsStages, Optional<List<Long>> sourceBytes) {
    this.id = id;
    this.name = name;
    this.tasks = tasks;
    this.readsStages = readsStages;
    this.sourceBytes = sourceBytes;
    this.counted = new StageProgress(0, 0, 0, tasks);
  }

  /** How many tasks it has after all. */
  void hasTasks(int known) {
    tasks = known;
  }

  void progressed(StageProgress progress, long time) {
    counted = progress;
    tasks = Math.max(tasks, progress.total());
    if (begunAt == 0 && progress.running() > 0) {
      begunAt = time;
    }
  }

  void finished(TaskFinished attempt) {
    if (attempt.state() == TaskFinished.State.SUCCEEDED) {
      succeeded.put(attempt.task(), attempt);
    }
    if (begunAt == 0 || attempt.startedAt() < begunAt) {
      begunAt = attempt.startedAt();
    }
  }

  String id() {
    return id;
  }

  String name() {
    return name;
  }

  int tasks() {
    return tasks;
  }

  int done() {
    return Math.max(succeeded.size(), counted.succeeded());
  }

  boolean isDone() {
    return done() >= tasks;
  }

  boolean isRunning() {
    return begunAt > 0 && !isDone();
  }

  /**
   * Rows that tasks have read which have succeeded, or run as far as known; of a source, that they
   * have written.
   */
  long rows() {
    long running =
        counted.counted().map(of -> (readsStages ? of.read() : of.written()).records()).orElse(0L);
    return running
        + succeeded.values().stream()
            .mapToLong(task -> (readsStages ? task.read() : task.written()).records())
            .sum();
  }

  /** Bytes of what tasks have read, of the same ones; 0 when nobody knows. */
  long bytes() {
    long running = readsStages ? counted.counted().map(of -> of.read().bytes()).orElse(0L) : 0;
    return running + succeededBytes();
  }

  private long succeededBytes() {
    return succeeded.values().stream().mapToLong(this::bytes).sum();
  }

  private long bytes(TaskFinished task) {
    if (readsStages) {
      return task.read().bytes();
    }
    return sourceBytes
        .filter(sizes -> task.task() < sizes.size())
        .map(sizes -> sizes.get(task.task()))
        .orElse(task.written().bytes());
  }

  /** How much of it is done, from 0 to 1: of a source's bytes, where they are known, else tasks. */
  double fraction() {
    if (tasks == 0) {
      return 0;
    }
    double all = readsStages ? 0 : sourceBytes.map(StageFigures::sum).orElse(0L);
    return all > 0 && !succeeded.isEmpty()
        ? Math.min(1, succeededBytes() / all)
        : done() / (double) tasks;
  }

  private static long sum(List<Long> sizes) {
    return sizes.stream().mapToLong(Long::longValue).sum();
  }

  Duration elapsed(long now) {
    return Duration.ofMillis(begunAt == 0 ? 0 : Math.max(0, now - begunAt));
  }

  /**
   * How long it still takes, if it goes on as until now; the less of it is done, the more counts
   * how long it took the last time.
   *
   * @param before how long it took then
   * @return empty when nothing tells
   */
  Optional<Duration> left(long now, Optional<Duration> before) {
    double passed = elapsed(now).toMillis();
    double done = fraction();
    Optional<Double> remembered = before.map(time -> Math.max(0, time.toMillis() - passed));
    if (done <= 0) {
      return remembered.map(millis -> Duration.ofMillis(millis.longValue()));
    }
    double seen = passed * (1 - done) / done;
    double left = remembered.map(millis -> done * seen + (1 - done) * millis).orElse(seen);
    return Optional.of(Duration.ofMillis((long) left));
  }
}
