// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ui.model;

import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import dev.anemone.runtime.event.TaskFinished.Amount;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A stage in numbers, summed over its attempts.
 *
 * @param stage its id
 * @param total tasks that it has
 * @param running tasks that run, as far as known
 * @param succeeded tasks that have succeeded
 * @param failed attempts that have failed
 * @param killed attempts that were killed
 * @param startedAt when its first attempt began, in milliseconds since 1970; 0 before
 * @param endedAt when the last one that is known ended, likewise
 * @param waited milliseconds that its attempts waited for slots
 * @param times where the time of its attempts went
 * @param readRecords records that attempts read from other stages that have succeeded, or run as
 *     far as known
 * @param readBytes bytes of them
 * @param writtenRecords records that they wrote for other stages
 * @param writtenBytes bytes of them
 * @param spilledBytes bytes that they wrote because memory was full
 */
public record StageView(
    String stage,
    int total,
    int running,
    int succeeded,
    int failed,
    int killed,
    long startedAt,
    long endedAt,
    long waited,
    AttemptTimes times,
    long readRecords,
    long readBytes,
    long writtenRecords,
    long writtenBytes,
    long spilledBytes) {

  /** The stages, in their order; behind them those that only attempts know. */
  static List<StageView> of(
      StagesPlanned planned, List<TaskFinished> attempts, JobProgress progress) {
    Map<String, Sum> sums = new LinkedHashMap<>();
    for (StagesPlanned.Stage stage : planned.stages()) {
      sums.put(stage.stage(), new Sum(stage.tasks()));
    }
    for (TaskFinished attempt : attempts) {
      sums.computeIfAbsent(attempt.stage(), stage -> new Sum(0)).add(attempt);
    }
    Map<String, JobProgress.StageProgress> now =
        new HashMap<>(progress == null ? Map.of() : progress.stages());
    return sums.entrySet().stream()
        .map(entry -> entry.getValue().view(entry.getKey(), now.get(entry.getKey())))
        .toList();
  }

  private static final class Sum {
    private final int total;
    private int succeeded;
    private int failed;
    private int killed;
    private long startedAt;
    private long endedAt;
    private long waited;
    private AttemptTimes times = AttemptTimes.NONE;
    private long readRecords;
    private long readBytes;
    private long writtenRecords;
    private long writtenBytes;
    private long spilledBytes;

    Sum(int total) {
      this.total = total;
    }

    void add(TaskFinished attempt) {
      startedAt = startedAt == 0 ? attempt.startedAt() : Math.min(startedAt, attempt.startedAt());
      endedAt = Math.max(endedAt, attempt.time());
      waited += Math.max(0, attempt.startedAt() - attempt.waitedFrom());
      times = sum(times, attempt.times());
      switch (attempt.state()) {
        case SUCCEEDED -> {
          succeeded++;
          readRecords += attempt.read().records();
          readBytes += attempt.read().bytes();
          writtenRecords += attempt.written().records();
          writtenBytes += attempt.written().bytes();
          spilledBytes += attempt.spilledBytes();
        }
        case FAILED -> failed++;
        case KILLED -> killed++;
      }
    }

    StageView view(String stage, JobProgress.StageProgress now) {
      JobProgress.Counted running =
          (now == null ? Optional.<JobProgress.Counted>empty() : now.counted())
              .orElse(new JobProgress.Counted(Amount.NONE, Amount.NONE, 0));
      // What is planned is told anew before progress that has other numbers, and after the last
      // one.
      int tasks = total > 0 || now == null ? total : now.total();
      return new StageView(
          stage,
          tasks,
          now == null ? 0 : Math.max(0, Math.min(now.running(), tasks - succeeded)),
          succeeded,
          failed,
          killed,
          startedAt,
          endedAt,
          waited,
          times,
          readRecords + running.read().records(),
          readBytes + running.read().bytes(),
          writtenRecords + running.written().records(),
          writtenBytes + running.written().bytes(),
          spilledBytes + running.spilledBytes());
    }

    private static AttemptTimes sum(AttemptTimes a, AttemptTimes b) {
      return new AttemptTimes(
          a.input() + b.input(),
          a.fetchWait() + b.fetchWait(),
          a.compute() + b.compute(),
          a.sort() + b.sort(),
          a.spill() + b.spill(),
          a.push() + b.push(),
          a.write() + b.write(),
          a.commit() + b.commit(),
          a.gc() + b.gc());
    }
  }
}
