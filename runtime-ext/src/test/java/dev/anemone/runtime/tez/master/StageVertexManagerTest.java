// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.runtime.tez.job.PlanCodec;
import dev.anemone.runtime.tez.job.ReceiverAnnouncement;
import dev.anemone.runtime.tez.job.ReceiverAnnouncements;
import dev.anemone.runtime.tez.job.StageSchedule;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import org.apache.tez.dag.api.UserPayload;
import org.apache.tez.dag.api.VertexManagerPluginContext;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StageVertexManagerTest {

  private static final int PRODUCERS = 10_000;
  private static final int AGGREGATIONS = 500;

  private final Time time = new Time();
  private final StageVertexManager manager = new StageVertexManager(context());

  /** What was handed to Tez, by how often. */
  private final IdentityHashMap<CustomProcessorEvent, Integer> events = new IdentityHashMap<>();

  /** What the last task was told of each aggregation task: the attempt. */
  private final Map<Integer, Integer> told = new HashMap<>();

  /** Time that goes on when a test says so. */
  private static final class Time implements MasterTimer {

    private record Later(long nanos, Runnable action) {}

    private final Queue<Later> laters = new PriorityQueue<>(Comparator.comparingLong(Later::nanos));
    private long now;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void runAfter(Duration delay, Runnable action) {
      laters.add(new Later(now + delay.toNanos(), action));
    }

    void pass(Duration duration) {
      long until = now + duration.toNanos();
      while (!laters.isEmpty() && laters.peek().nanos() <= until) {
        Later next = laters.remove();
        now = next.nanos();
        next.action().run();
      }
      now = until;
    }
  }

  private VertexManagerPluginContext context() {
    StageSchedule schedule =
        new StageSchedule(
            "job",
            "file:///reports",
            Set.of("v"),
            new StageSchedule.Inputs(Set.of(), Set.of(), Set.of(), Set.of()),
            List.of(),
            Optional.empty(),
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            true);
    return (VertexManagerPluginContext)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {VertexManagerPluginContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getUserPayload" ->
                      UserPayload.create(ByteBuffer.wrap(PlanCodec.write(schedule)));
                  case "getVertexName" -> "stage0";
                  case "getVertexNumTasks" -> PRODUCERS;
                  case "registerForVertexStateUpdates" -> null;
                  case "sendEventToProcessor" -> {
                    sent((Collection<?>) arguments[0], (int) arguments[1]);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  @BeforeEach
  void open() {
    JobMaster.open("job", getClass().getClassLoader(), consumed -> {}, time);
    manager.initialize();
  }

  @AfterEach
  void forget() {
    JobMaster.forget("job");
  }

  private void sent(Collection<?> toTask, int task) {
    for (Object event : toTask) {
      CustomProcessorEvent sent = (CustomProcessorEvent) event;
      events.merge(sent, 1, Integer::sum);
      if (task == PRODUCERS - 1) {
        PlanCodec.readCompressed(sent.getPayload(), ReceiverAnnouncements.class)
            .receivers()
            .forEach(receiver -> told.put(receiver.task(), receiver.attempt()));
      }
    }
  }

  private void announce(int aggregation, int attempt) throws IOException {
    ReceiverAnnouncement announcement =
        new ReceiverAnnouncement(
            "stage1",
            aggregation,
            attempt,
            "netty",
            "node-" + aggregation % 100 + ".example.org",
            40_000 + aggregation,
            UUID.randomUUID().toString());
    manager.onVertexManagerEventReceived(
        VertexManagerEvent.create("stage0", ByteBuffer.wrap(PlanCodec.write(announcement))));
  }

  private long handedOver() {
    return events.values().stream().mapToLong(Integer::longValue).sum();
  }

  private long differentBytes() {
    return events.keySet().stream().mapToLong(event -> event.getPayload().remaining()).sum();
  }

  @Test
  void theFirstIsToldAtOnce() throws IOException {
    announce(7, 0);
    assertThat(told).containsExactly(Map.entry(7, 0));
    assertThat(handedOver()).isEqualTo(PRODUCERS);
  }

  @Test
  void whatTezKeepsGrowsWithTheSumOfProducersAndAggregations() throws IOException {
    for (int task = 0; task < AGGREGATIONS; task++) {
      announce(task, 0);
    }
    time.pass(Duration.ofSeconds(5));
    assertThat(told).hasSize(AGGREGATIONS);
    assertThat(handedOver()).isLessThanOrEqualTo(2 * (PRODUCERS + AGGREGATIONS));
    assertThat(differentBytes()).isLessThan(50L * AGGREGATIONS);
  }

  @Test
  void itDoesSoWhenAggregationsComeOneByOne() throws IOException {
    for (int task = 0; task < AGGREGATIONS; task++) {
      announce(task, 0);
      time.pass(Duration.ofSeconds(2));
    }
    time.pass(Duration.ofMinutes(5));
    assertThat(told).hasSize(AGGREGATIONS);
    assertThat(handedOver()).isLessThan(70 * (PRODUCERS + AGGREGATIONS));
    assertThat(differentBytes()).isLessThan(120L * AGGREGATIONS);
  }

  @Test
  void ofAnAggregationTaskThatRunsAgainTheLastAttemptIsTold() throws IOException {
    announce(0, 0);
    announce(3, 1);
    announce(3, 0);
    time.pass(Duration.ofSeconds(5));
    assertThat(told).containsEntry(3, 1);
    announce(3, 2);
    assertThat(told).containsEntry(3, 2);
  }
}
