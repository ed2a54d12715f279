// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.event.AttemptTimes;
import dev.anemone.runtime.event.JobProgress.Counted;
import dev.anemone.runtime.event.JobProgress.MemoryUse;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.MetricValues.Counter;
import dev.anemone.runtime.event.TaskFinished.Amount;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.dag.records.TezDAGID;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;
import org.junit.jupiter.api.Test;

class CountedAttemptsTest {

  private final CountedAttempts attempts = new CountedAttempts();

  private static TezTaskAttemptID attempt(int task) {
    TezDAGID dag = TezDAGID.getInstance(ApplicationId.newInstance(1, 1), 1);
    return TezTaskAttemptID.getInstance(
        TezTaskID.getInstance(TezVertexID.getInstance(dag, 0), task), 0);
  }

  private static MetricValues lines(long count) {
    return new MetricValues(
        0, List.of(new Counter("read", "n", "lines", count)), List.of(), List.of());
  }

  private static CountedAttempts.Running running(long count) {
    return new CountedAttempts.Running(
        "stage0",
        Optional.of("container_1"),
        new AttemptCounters(AttemptTimes.NONE, new Amount(count, 10), new Amount(1, 2), 3),
        lines(count),
        Optional.of(new MemoryUse(count, 7, 0)));
  }

  private long counted(Map<TezTaskAttemptID, CountedAttempts.Running> running) {
    return attempts.soFar(running, 5).metrics().orElseThrow().counters().get(0).value();
  }

  @Test
  void thoseThatRunAreAddedToThoseThatHaveEnded() {
    attempts.ended(attempt(0), lines(100));

    CountedAttempts.SoFar soFar =
        attempts.soFar(Map.of(attempt(1), running(20), attempt(2), running(3)), 5);

    assertThat(soFar.metrics().orElseThrow().counters())
        .containsExactly(new Counter("read", "n", "lines", 123));
    assertThat(soFar.stages())
        .containsExactly(Map.entry("stage0", new Counted(new Amount(23, 20), new Amount(2, 4), 6)));
  }

  @Test
  void anExecutorHasWhatTheAttemptsOnItHaveTold() {
    assertThat(attempts.soFar(Map.of(attempt(1), running(20)), 5).memory())
        .containsExactly(Map.entry("container_1", new MemoryUse(20, 7, 0)));
    assertThat(attempts.soFar(Map.of(), 6).memory()).isEmpty();
  }

  @Test
  void oneThatEndsWhileOthersAreAskedCountsOnce() {
    assertThat(counted(Map.of(attempt(1), running(20)))).isEqualTo(20);
    attempts.ended(attempt(1), lines(25));

    // It ran when it was asked.
    CountedAttempts.SoFar soFar = attempts.soFar(Map.of(attempt(1), running(24)), 6);
    assertThat(soFar.metrics().orElseThrow().counters().get(0).value()).isEqualTo(25);
    assertThat(soFar.stages()).isEmpty();
  }

  @Test
  void whatIsNothingNewIsNotToldAgain() {
    assertThat(attempts.soFar(Map.of(), 1).metrics()).isEmpty();
    assertThat(attempts.soFar(Map.of(attempt(1), running(20)), 2).metrics()).isPresent();
    assertThat(attempts.soFar(Map.of(attempt(1), running(20)), 3).metrics()).isEmpty();
    assertThat(attempts.soFar(Map.of(attempt(1), running(21)), 4).metrics()).isPresent();
  }
}
