// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.JobProgress.Counted;
import dev.anemone.runtime.event.JobProgress.MemoryUse;
import dev.anemone.runtime.event.MetricSums;
import dev.anemone.runtime.event.MetricValues;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.tez.dag.records.TezTaskAttemptID;

/**
 * What the attempts of a job have counted of the program's metrics, those that run included,
 * whatever becomes of them. Not thread-safe.
 */
final class CountedAttempts {

  private final MetricSums ended = new MetricSums();

  /** Those that have ended since the last look at those that run. */
  private final Set<TezTaskAttemptID> endedMeanwhile = new HashSet<>();

  private Optional<MetricValues> told = Optional.empty();

  /**
   * What an attempt that runs has told with its last heartbeat.
   *
   * @param stage its stage
   * @param executor its container; empty when it has none any more
   * @param counters what it has read and written
   * @param metrics what it has counted of the program's
   * @param memory what its container has in use; empty when it has not told that yet
   */
  record Running(
      String stage,
      Optional<String> executor,
      AttemptCounters counters,
      MetricValues metrics,
      Optional<MemoryUse> memory) {}

  /**
   * What attempts have done until now.
   *
   * @param metrics what all have counted of the program's; empty when that is nothing new
   * @param stages what those have read and written that run, by stage
   * @param memory what the executors have in use on which attempts run
   */
  record SoFar(
      Optional<MetricValues> metrics, Map<String, Counted> stages, Map<String, MemoryUse> memory) {}

  /** An attempt has ended, and has counted that. */
  void ended(TezTaskAttemptID attempt, MetricValues metrics) {
    ended.add(metrics);
    endedMeanwhile.add(attempt);
  }

  /**
   * What has been done until now.
   *
   * @param running attempts that ran a moment ago
   * @param time in milliseconds since 1970
   */
  SoFar soFar(Map<TezTaskAttemptID, Running> running, long time) {
    MetricSums sums = new MetricSums().add(ended.values(time));
    Map<String, Counted> stages = new TreeMap<>();
    Map<String, MemoryUse> memory = new TreeMap<>();
    running.forEach(
        (id, attempt) -> {
          if (!endedMeanwhile.contains(id)) {
            sums.add(attempt.metrics());
            AttemptCounters counters = attempt.counters();
            stages.merge(
                attempt.stage(),
                new Counted(counters.read(), counters.written(), counters.spilledBytes()),
                Counted::plus);
            attempt
                .executor()
                .ifPresent(
                    executor -> attempt.memory().ifPresent(use -> memory.put(executor, use)));
          }
        });
    endedMeanwhile.clear();
    return new SoFar(news(sums, time), stages, memory);
  }

  private Optional<MetricValues> news(MetricSums sums, long time) {
    MetricValues now = sums.values(time);
    boolean isNew = told.map(before -> !isSame(before, now)).orElse(!isNothing(now));
    if (isNew) {
      told = Optional.of(now);
    }
    return isNew ? told : Optional.empty();
  }

  private static boolean isSame(MetricValues a, MetricValues b) {
    return a.counters().equals(b.counters())
        && a.distributions().equals(b.distributions())
        && a.gauges().equals(b.gauges());
  }

  private static boolean isNothing(MetricValues values) {
    return values.counters().isEmpty()
        && values.distributions().isEmpty()
        && values.gauges().isEmpty();
  }
}
