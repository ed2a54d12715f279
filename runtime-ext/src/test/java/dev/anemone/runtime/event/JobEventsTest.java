// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class JobEventsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final JobEvents events = new JobEvents("job");

  private static JobProgress progress(long time) {
    return new JobProgress(time, Map.of(), Map.of());
  }

  private static MetricValues metrics(long value) {
    return new MetricValues(
        value, List.of(new MetricValues.Counter("s", "n", "c", value)), List.of(), List.of());
  }

  private static JobFinished finished(long time) {
    return new JobFinished(time, JobFinished.State.SUCCEEDED, Optional.empty());
  }

  private static List<JobEvent> all(JobEvents.Subscription subscription)
      throws InterruptedException {
    List<JobEvent> all = new ArrayList<>();
    while (!subscription.isAtEnd()) {
      subscription.next(PATIENCE).ifPresent(all::add);
    }
    return all;
  }

  @Test
  void whoComesLateGetsAllFromTheFirstOneOn() throws InterruptedException {
    JobEvents.Subscription early = events.subscribe();
    for (int i = 0; i < 5; i++) {
      events.publish(new ExecutorLost(i, "x" + i, ""));
    }
    events.publish(finished(5));
    events.publish(new ExecutorLost(6, "after the end", ""));

    assertThat(all(early)).hasSize(6).isEqualTo(all(events.subscribe()));
  }

  @Test
  void whoWaitsIsWokenByTheNextEvent() throws Exception {
    JobEvents.Subscription subscription = events.subscribe();
    CompletableFuture<Optional<JobEvent>> next =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return subscription.next(PATIENCE);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    events.publish(finished(1));

    assertThat(next.get()).contains(finished(1));
    assertThat(subscription.next(PATIENCE)).isEmpty();
    assertThat(events.subscribe().next(Duration.ZERO)).isPresent();
  }

  @Test
  void nothingComesWhileNothingHappens() throws InterruptedException {
    JobEvents.Subscription subscription = events.subscribe();

    assertThat(subscription.next(Duration.ofMillis(1))).isEmpty();
    assertThat(subscription.isAtEnd()).isFalse();
  }

  @Test
  void ofProgressAFewHundredAreKeptAndTheLast() throws InterruptedException {
    long week = Duration.ofDays(7).toMillis();
    LoggedEvents logged = LoggedEvents.ofLog();
    int lines = 0;
    for (long time = 0; time < week; time += 500) {
      events.publish(progress(time));
      lines += logged.after(progress(time)).size();
    }
    events.publish(finished(week));

    List<JobEvent> kept = all(events.subscribe());
    assertThat(kept).hasSizeBetween(300, 600);
    assertThat(kept.get(1).time()).as("the second one").isEqualTo(1_000);
    assertThat(kept.get(kept.size() - 2)).isEqualTo(progress(week - 500));
    assertThat(lines).isBetween(300, 600);
  }

  @Test
  void whoFollowsSeesAllProgress() throws InterruptedException {
    JobEvents.Subscription subscription = events.subscribe();
    for (int i = 0; i < 10; i++) {
      events.publish(progress(i));
      assertThat(subscription.next(PATIENCE)).contains(progress(i));
    }
  }

  @Test
  void ofMetricsTheLastAreKeptAndWrittenBeforeTheEnd() throws InterruptedException {
    LoggedEvents logged = LoggedEvents.ofLog();
    List<JobEvent> lines = new ArrayList<>();
    for (JobEvent event : List.of(metrics(1), metrics(2), finished(3))) {
      events.publish(event);
      lines.addAll(logged.after(event));
    }

    assertThat(all(events.subscribe())).containsExactly(metrics(2), finished(3));
    assertThat(lines).containsExactly(metrics(2), finished(3));
  }

  @Test
  void whoFollowsAJobReadsItsMetricsAsOftenAsItsProgress() {
    LoggedEvents logged = LoggedEvents.ofRunningJob();
    List<JobEvent> lines = new ArrayList<>();
    for (JobEvent event : List.of(metrics(1), metrics(2), metrics(1_001), metrics(1_002))) {
      lines.addAll(logged.after(event));
    }
    lines.addAll(logged.after(finished(1_003)));

    assertThat(lines).containsExactly(metrics(1), metrics(1_001), metrics(1_002), finished(1_003));
  }
}
