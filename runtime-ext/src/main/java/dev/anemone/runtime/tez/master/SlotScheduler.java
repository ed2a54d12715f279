// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.tez.master.RequestQueue.Request;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.DAGScheduler;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.event.DAGEventSchedulerUpdate;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventSchedule;
import org.apache.tez.dag.records.TaskAttemptTerminationCause;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezVertexID;

/**
 * Hands out slots. Tez's schedulers end running tasks when a task that comes before them in the
 * graph needs a place and none is free, which for an aggregation task that producers push to would
 * mean to lose all that it has. So they never get to see more tasks than there are places for; the
 * slots are counted here:
 *
 * <ul>
 *   <li>in one JVM, tasks of aggregations have places of their own beside the slots: they wait for
 *       data most of the time, and waiting for a slot they would be of no use. On a cluster a slot
 *       is a container; there at most a third of the slots go to aggregations while producers wait
 *       for one, or have not asked yet. A producer that finds no aggregation task yet keeps its
 *       data in its own block;
 *   <li>other tasks run in the slots that are left, those nearest to the sources first. A task that
 *       is pushed to asks before anything is pushed, perhaps before those that push: it gets no
 *       slot until these have asked, too;
 *   <li>a task that is run again, while tasks run that read from it, needs no slot: they wait for
 *       it. Only some of a vertex run so at a time, since each needs memory, and on a cluster a
 *       container; of a vertex, since what is run again may itself wait for a vertex before it.
 * </ul>
 *
 * <p>A speculative attempt needs no slot either, as its task may be what everything waits for.
 *
 * <p>When a node is lost, there may be fewer containers than slots. Tasks go on to use all slots,
 * so that YARN is asked for others, but aggregations get a third of the containers that are left,
 * until as many tasks have one as there are slots. When Tez ends a task for the room all the same,
 * there are from then on as many slots as tasks had containers.
 *
 * <p>Used by the dispatcher thread of Tez's application master. That thread has much else to do for
 * each task, so what happens here to one takes no longer when there are more of them: requests wait
 * by vertex, and what runs is counted.
 */
public final class SlotScheduler extends DAGScheduler {

  /** Setting of the DAG: tasks that run at once. */
  public static final String SLOTS = "anemone.slots";

  /** Setting of the DAG: whether aggregations have places beside the slots. */
  public static final String AGGREGATIONS_APART = "anemone.slots.aggregations-apart";

  private static final Set<TaskAttemptTerminationCause> LOST_CONTAINER =
      EnumSet.of(
          TaskAttemptTerminationCause.CONTAINER_EXITED, TaskAttemptTerminationCause.NODE_FAILED);

  /** Slots of which one may be an aggregation's. */
  private static final int PER_AGGREGATION = 3;

  private final DAG dag;
  private final EventHandler<TaskAttemptEventSchedule> handler;
  private int slots;

  /** Slots without those whose containers are lost and, as far as is known, not replaced. */
  private int backedSlots;

  private final boolean aggregationsApart;
  private final VertexGraph graph;
  private final RunningAttempts running;
  private final Set<TezTaskAttemptID> inSlots = new HashSet<>();
  private final Set<TezTaskAttemptID> aggregating = new HashSet<>();
  private final Set<TezTaskAttemptID> beyondSlots = new HashSet<>();
  private final Tally<TezVertexID> beyondSlotsByVertex = new Tally<>();
  private final RequestQueue waiting = new RequestQueue();
  private final RequestQueue waitingAggregations = new RequestQueue();
  private long requests;

  /** Called by Tez. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // Tez declares its handlers so
  public SlotScheduler(DAG dag, EventHandler handler) {
    this.dag = dag;
    this.handler = handler;
    this.slots = dag.getConf().getInt(SLOTS, 1);
    this.backedSlots = slots;
    this.aggregationsApart = dag.getConf().getBoolean(AGGREGATIONS_APART, false);
    this.graph = new VertexGraph(dag);
    this.running = new RunningAttempts(graph);
  }

  @Override
  public void scheduleTaskEx(DAGEventSchedulerUpdate event) {
    TezTaskAttemptID id = event.getAttempt().getTaskAttemptID();
    TezVertexID vertex = id.getVertexID();
    graph.hasAsked(id.getTaskID());
    if (aggregationsApart && graph.isAggregation(vertex)) {
      start(id);
      return;
    }
    int distance = graph.vertex(vertex).getDistanceFromRoot();
    queue(vertex).add(new Request(id, distance, requests++), running.anyOf(id.getTaskID()));
    fillSlots();
  }

  private RequestQueue queue(TezVertexID vertex) {
    return graph.isAggregation(vertex) ? waitingAggregations : waiting;
  }

  @Override
  public void taskCompletedEx(DAGEventSchedulerUpdate event) {
    TezTaskAttemptID id = event.getTaskAttemptID();
    RequestQueue queue = queue(id.getVertexID());
    if (running.contains(id)) {
      countSlots(event.getAttempt().getTerminationCause());
    }
    if (running.remove(id)) {
      queue.runsNoMore(id.getTaskID());
    }
    aggregating.remove(id);
    if (beyondSlots.remove(id)) {
      beyondSlotsByVertex.remove(id.getVertexID());
    }
    if (!inSlots.remove(id)) {
      queue.remove(id);
    }
    fillSlots();
  }

  /** Learns from how an attempt has ended, which still counts as one that runs. */
  private void countSlots(TaskAttemptTerminationCause cause) {
    if (LOST_CONTAINER.contains(cause)) {
      backedSlots = Math.max(0, backedSlots - 1);
    } else if (cause == TaskAttemptTerminationCause.INTERNAL_PREEMPTION) {
      slots = Math.max(1, Math.min(slots, running.inContainers()));
      backedSlots = Math.min(backedSlots, slots);
    } else if (backedSlots < slots && !waitingAggregations.isEmpty()) {
      // Nobody else asks, and counting takes longer the more tasks run.
      backedSlots = Math.max(backedSlots, Math.min(slots, running.inContainers()));
    }
  }

  private void fillSlots() {
    while (startNext()) {}
  }

  /** Starts one of those that wait; false when none may start. */
  private boolean startNext() {
    boolean free = inSlots.size() < slots;
    if (free && !waitingAggregations.isEmpty() && aggregationsMayHaveMore()) {
      Request next = waitingAggregations.first().orElseThrow();
      aggregating.add(next.attempt());
      takeSlot(waitingAggregations, next);
      return true;
    }
    // What aggregations wait for must be able to run, even if they have all slots.
    boolean onlyAggregations = inSlots.size() == aggregating.size();
    Optional<Request> next =
        free || onlyAggregations ? waiting.first(graph::producersHaveAsked) : Optional.empty();
    if (next.isPresent()) {
      takeSlot(waiting, next.get());
      return true;
    }
    // Aggregations first: they cannot go on, either, without what is run again before them.
    return startAwaited(waitingAggregations, Integer.MAX_VALUE)
        || startAwaited(waiting, Math.max(1, slots / 2));
  }

  private boolean aggregationsMayHaveMore() {
    return aggregating.size() < backedSlots / PER_AGGREGATION
        || (waiting.isEmpty()
            && waitingAggregations
                .first()
                .map(Request::vertex)
                .filter(graph::producersHaveAsked)
                .isPresent());
  }

  /**
   * Starts a task for which others wait that run; false when there is none. For the second attempt
   * of a task that runs, aggregations may wait.
   *
   * @param most how many tasks of its vertex may run beyond the slots
   */
  private boolean startAwaited(RequestQueue queue, int most) {
    Predicate<TezVertexID> mayStart = vertex -> beyondSlotsByVertex.count(vertex) < most;
    Optional<Request> awaited =
        Stream.of(queue.first(mayStart.and(running::waitFor)), queue.firstOvertaking(mayStart))
            .flatMap(Optional::stream)
            .min(RequestQueue.ORDER);
    awaited.ifPresent(
        request -> {
          queue.remove(request);
          if (queue == waiting) {
            beyondSlots.add(request.attempt());
            beyondSlotsByVertex.add(request.vertex());
          }
          start(request.attempt());
        });
    return awaited.isPresent();
  }

  private void takeSlot(RequestQueue queue, Request request) {
    queue.remove(request);
    inSlots.add(request.attempt());
    start(request.attempt());
  }

  private void start(TezTaskAttemptID id) {
    Vertex vertex = graph.vertex(id.getVertexID());
    if (running.add(id)) {
      queue(id.getVertexID()).runs(id.getTaskID());
    }
    handler.handle(
        new TaskAttemptEventSchedule(
            id, getPriorityLowLimit(dag, vertex), getPriorityHighLimit(dag, vertex)));
  }
}
