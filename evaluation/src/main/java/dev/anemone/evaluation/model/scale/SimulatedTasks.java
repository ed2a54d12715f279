// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.scale;

import dev.anemone.evaluation.lab.ExperimentFailure;
import dev.anemone.evaluation.model.scale.SimulatedMaster.Mailbox;
import dev.anemone.ir.message.SizeHistogram;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.sampling.MeasuredSizes;
import dev.anemone.runtime.shuffle.format.Producer;
import dev.anemone.runtime.stage.Link;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StageSample;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.tez.job.GatheredAnnouncements;
import dev.anemone.runtime.tez.job.OutputAnnouncement;
import dev.anemone.runtime.tez.job.PlanCodec;
import dev.anemone.runtime.tez.job.ReceiverAnnouncement;
import dev.anemone.runtime.tez.job.ReceiverAnnouncements;
import dev.anemone.runtime.transfer.announcement.BlockAnnouncement;
import dev.anemone.runtime.transfer.announcement.BlockLocation;
import dev.anemone.runtime.transfer.announcement.ProducerClasses;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.tez.dag.app.dag.event.TaskAttemptEvent;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventStartedRemotely;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventSubmitted;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventTezEventUpdate;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventType;
import org.apache.tez.dag.app.dag.event.VertexEventRouteEvent;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.runtime.api.Event;
import org.apache.tez.runtime.api.events.CustomProcessorEvent;
import org.apache.tez.runtime.api.events.DataMovementEvent;
import org.apache.tez.runtime.api.events.VertexManagerEvent;
import org.apache.tez.runtime.api.impl.EventMetaData;
import org.apache.tez.runtime.api.impl.EventMetaData.EventProducerConsumerType;
import org.apache.tez.runtime.api.impl.TezEvent;

/**
 * Tasks that do nothing but take their time, and tell the master what real ones do: what they have
 * measured, where they take what is pushed, and in the end where their blocks are, which have
 * something for every consumer. Not thread-safe.
 */
final class SimulatedTasks {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final Duration HEARTBEAT = Duration.ofSeconds(1);
  private static final int LEAST_MILLIS = 5_000;
  private static final int MORE_MILLIS = 10_007;
  private static final int SPREAD = 7_919;
  private static final int NODE_SLOTS = 16;

  /** Of a producer over a link, of however many partitions; what a consumer task has memory for. */
  private static final long PRODUCED_BYTES = ScaledJob.TASK_BYTES;

  private final SimulatedMaster master;
  private final Map<String, StagePlan> plans;
  private final Map<ContainerId, Container> executors;
  private final Deque<ContainerId> free = new ArrayDeque<>();

  private long nanos;
  private int ended;

  /** An attempt that runs. */
  private static final class Running {
    private final TezTaskAttemptID id;
    private final StagePlan plan;
    private final ContainerId executor;
    private final Mailbox mailbox = new Mailbox();

    /** The attempts of aggregation tasks that it knows of, by stage and task. */
    private final Map<String, Map<Integer, Integer>> known = new HashMap<>();

    /** Stages whose announcements it was told together. */
    private final Set<String> gathered = new HashSet<>();

    /** Producers that have announced one by one. */
    private int announcements;

    Running(TezTaskAttemptID id, StagePlan plan, ContainerId executor) {
      this.id = id;
      this.plan = plan;
      this.executor = executor;
    }

    int task() {
      return id.getTaskID().getId();
    }
  }

  SimulatedTasks(SimulatedMaster master, ScaledJob job, Map<ContainerId, Container> executors) {
    this.master = master;
    this.executors = executors;
    this.plans =
        job.plans().stream()
            .collect(Collectors.toMap(plan -> plan.stage().name(), Function.identity()));
  }

  long nanos() {
    return nanos;
  }

  int ended() {
    return ended;
  }

  /** Gives an attempt an executor; there is one for each that the scheduler lets run. */
  void launch(TezTaskAttemptID id) {
    ContainerId executor = free.isEmpty() ? newExecutor() : free.pop();
    Running attempt =
        new Running(id, plans.get(master.vertex(id.getVertexID()).getName()), executor);
    master.report(new TaskAttemptEventSubmitted(id, executor));
    master.report(new TaskAttemptEventStartedRemotely(id));
    master.after(Duration.ZERO, () -> begin(attempt));
  }

  private ContainerId newExecutor() {
    ContainerId id =
        ContainerId.newContainerId(
            ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1),
            executors.size() + 1L);
    String host = "node-" + executors.size() / NODE_SLOTS + ".example.org";
    executors.put(
        id,
        Container.newInstance(
            id,
            NodeId.newInstance(host, 8041),
            host + ":8042",
            Resource.newInstance(1024, 1),
            Priority.newInstance(1),
            null));
    return id;
  }

  private void begin(Running attempt) {
    if (attempt.plan.isAggregation()) {
      List<TezEvent> events = onTaskTime(() -> receiverAnnouncements(attempt));
      if (!events.isEmpty()) {
        master.report(new VertexEventRouteEvent(attempt.id.getVertexID(), events));
      }
      gather(attempt);
    } else {
      hear(attempt);
      long millis = LEAST_MILLIS + (long) attempt.task() * SPREAD % MORE_MILLIS;
      master.after(Duration.ofMillis(millis), () -> end(attempt));
    }
  }

  /** Aggregations end when they have heard of all who push to them. */
  private void gather(Running attempt) {
    hear(attempt);
    int expected =
        master.vertex(attempt.id.getVertexID()).getInputVertices().keySet().stream()
            .mapToInt(vertex -> vertex.getTotalTasks())
            .sum();
    if (attempt.announcements == expected) {
      end(attempt);
    } else {
      master.after(HEARTBEAT, () -> gather(attempt));
    }
  }

  private void hear(Running attempt) {
    List<TezEvent> events;
    do {
      events = master.fetch(attempt.id, attempt.mailbox);
      List<TezEvent> heard = events;
      onTaskTime(
          () -> {
            heard.forEach(event -> take(attempt, event.getEvent()));
            return null;
          });
    } while (!events.isEmpty());
  }

  private void take(Running attempt, Event event) {
    if (event instanceof DataMovementEvent) {
      attempt.announcements++;
    } else if (event instanceof CustomProcessorEvent news) {
      Record told = PlanCodec.readCompressed(news.getPayload(), Record.class);
      if (told instanceof ReceiverAnnouncements where) {
        for (ReceiverAnnouncement receiver : where.receivers()) {
          attempt
              .known
              .computeIfAbsent(receiver.stage(), k -> new TreeMap<>())
              .put(receiver.task(), receiver.attempt());
        }
      } else if (told instanceof GatheredAnnouncements gathered) {
        attempt.gathered.add(gathered.stage());
      }
    }
  }

  private void end(Running attempt) {
    hear(attempt);
    for (Link link : attempt.plan.inputs()) {
      if (link.awaitsAllProducers() && !attempt.gathered.contains(link.peer())) {
        throw new ExperimentFailure(
            "%s runs, and was not told what %s has written", attempt.id, link.peer());
      }
    }
    List<TezEvent> events = onTaskTime(() -> results(attempt));
    if (!events.isEmpty()) {
      master.report(new TaskAttemptEventTezEventUpdate(attempt.id, events));
    }
    master.report(new TaskAttemptEvent(attempt.id, TaskAttemptEventType.TA_DONE));
    if (!events.isEmpty()) {
      master.report(new VertexEventRouteEvent(attempt.id.getVertexID(), events));
    }
    free.push(attempt.executor);
    ended++;
  }

  private List<TezEvent> receiverAnnouncements(Running attempt) {
    String stage = attempt.plan.stage().name();
    Container executor = executors.get(attempt.executor);
    ReceiverAnnouncement announcement =
        new ReceiverAnnouncement(
            stage,
            attempt.task(),
            attempt.id.getId(),
            "netty",
            executor.getNodeId().getHost(),
            40_000,
            // As long as an id is.
            String.format(Locale.ROOT, "%011d", attempt.task()));
    byte[] bytes = PlanCodec.write(announcement);
    return attempt.plan.inputs().stream()
        .filter(Link::push)
        .map(link -> VertexManagerEvent.create(link.peer(), ByteBuffer.wrap(bytes)))
        .map(event -> sentBy(attempt, event, EventProducerConsumerType.PROCESSOR, null))
        .toList();
  }

  private List<TezEvent> results(Running attempt) {
    List<TezEvent> events = new ArrayList<>();
    attempt
        .plan
        .sample()
        .filter(sample -> sample.tasks().contains(attempt.task()))
        .ifPresent(sample -> measured(attempt, sample, events));
    for (Link link : attempt.plan.outputs()) {
      OutputAnnouncement.events(link, announcement(attempt, link))
          .forEach(
              event ->
                  events.add(
                      sentBy(attempt, event, EventProducerConsumerType.OUTPUT, link.peer())));
    }
    return events;
  }

  private void measured(Running attempt, StageSample sample, List<TezEvent> events) {
    int tasks = master.vertex(attempt.id.getVertexID()).getTotalTasks();
    for (StageSample.MeasuredLink link : sample.measured()) {
      long[] sizes = new long[partitions(attempt.plan, link.peer())];
      Arrays.fill(sizes, PRODUCED_BYTES / sizes.length);
      byte[] bytes =
          PlanCodec.write(
              new MeasuredSizes(
                  link.messageId(),
                  attempt.plan.stage().name(),
                  link.peer(),
                  attempt.task(),
                  sample.sampledOf(tasks),
                  tasks,
                  0,
                  0,
                  SizeHistogram.of(link.messageId(), sizes).toBytes()));
      for (String reader : link.readers()) {
        events.add(
            sentBy(
                attempt,
                VertexManagerEvent.create(reader, ByteBuffer.wrap(bytes)),
                EventProducerConsumerType.PROCESSOR,
                null));
      }
    }
  }

  private static int partitions(StagePlan plan, String peer) {
    return plan.outputs().stream()
        .filter(link -> link.peer().equals(peer))
        .mapToInt(Link::partitions)
        .findFirst()
        .orElseThrow();
  }

  private BlockAnnouncement announcement(Running attempt, Link link) {
    BitSet partitions = new BitSet();
    partitions.set(0, link.partitions());
    BitSet batches = new BitSet();
    batches.set(0, 3);
    Container executor = executors.get(attempt.executor);
    return new BlockAnnouncement(
        new Producer(attempt.task(), attempt.id.getId()),
        Optional.of(new BlockId("job/output/" + attempt.id + "_10003_" + link.peer())),
        DataStore.LOCAL_FILE,
        Optional.of(new BlockLocation(executor.getNodeId().getHost(), 13_562)),
        partitions,
        true,
        false,
        attempt.known.getOrDefault(link.peer(), Map.of()).entrySet().stream()
            .map(each -> new BlockAnnouncement.Pushed(each.getKey(), each.getValue(), batches))
            .toList(),
        List.of(),
        ProducerClasses.NONE,
        attempt.task());
  }

  private static TezEvent sentBy(
      Running attempt, Event event, EventProducerConsumerType who, String peer) {
    return new TezEvent(
        event, new EventMetaData(who, attempt.plan.stage().name(), peer, attempt.id));
  }

  /** What tasks do takes the time of their executors, and none of the master's. */
  private <T> T onTaskTime(Supplier<T> action) {
    long begin = THREADS.getCurrentThreadCpuTime();
    try {
      return action.get();
    } finally {
      nanos += THREADS.getCurrentThreadCpuTime() - begin;
    }
  }
}
