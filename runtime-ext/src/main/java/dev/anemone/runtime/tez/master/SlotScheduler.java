// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import dev.anemone.runtime.tez.task.AggregationProcessor;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.tez.dag.api.oldrecords.TaskState;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.DAGScheduler;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.event.DAGEventSchedulerUpdate;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventSchedule;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
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
 *       is a container; there at most half of the slots go to aggregations while producers wait for
 *       one, or have not asked yet. A producer that finds no aggregation task yet keeps its data in
 *       its own block;
 *   <li>other tasks run in the slots that are left, those nearest to the sources first. A task that
 *       is pushed to asks before anything is pushed, perhaps before those that push: it gets no
 *       slot until these have asked, too;
 *   <li>a task that is run again, while tasks run that read from it, needs no slot: they wait for
 *       it. On a cluster only some of a vertex run so at a time, since each is a container more; of
 *       a vertex, since what is run again may itself wait for a vertex before it.
 * </ul>
 *
 * <p>A speculative attempt needs no slot either, as its task may be what everything waits for.
 *
 * <p>Used by the dispatcher thread of Tez's application master.
 */
public final class SlotScheduler extends DAGScheduler {

  /** Setting of the DAG: tasks that run at once. */
  public static final String SLOTS = "anemone.slots";

  /** Setting of the DAG: whether aggregations have places beside the slots. */
  public static final String AGGREGATIONS_APART = "anemone.slots.aggregations-apart";

  private final DAG dag;
  private final EventHandler<TaskAttemptEventSchedule> handler;
  private final Map<TezTaskAttemptID, TezVertexID> running = new HashMap<>();
  private final Set<TezTaskAttemptID> inSlots = new HashSet<>();
  private final Set<TezTaskAttemptID> aggregating = new HashSet<>();
  private final Map<TezTaskAttemptID, TezVertexID> beyondSlots = new HashMap<>();
  private final Set<TezTaskID> asked = new HashSet<>();
  private final PriorityQueue<Request> waiting = queue();
  private final PriorityQueue<Request> waitingAggregations = queue();
  private long requests;

  /** Called by Tez. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // Tez declares its handlers so
  public SlotScheduler(DAG dag, EventHandler handler) {
    this.dag = dag;
    this.handler = handler;
  }

  /**
   * A task attempt that waits for a slot.
   *
   * @param attempt the attempt
   * @param distance of its vertex from the sources of the graph
   * @param number counts requests
   */
  private record Request(TaskAttempt attempt, int distance, long number) {}

  private static final Comparator<Request> ORDER =
      Comparator.comparingInt(Request::distance).thenComparingLong(Request::number);

  private static PriorityQueue<Request> queue() {
    return new PriorityQueue<>(ORDER);
  }

  @Override
  public void scheduleTaskEx(DAGEventSchedulerUpdate event) {
    TaskAttempt attempt = event.getAttempt();
    Vertex vertex = dag.getVertex(attempt.getVertexID());
    asked.add(attempt.getTaskAttemptID().getTaskID());
    if (aggregationsApart() && (isAggregation(vertex) || isWaitedFor(vertex))) {
      start(attempt);
      return;
    }
    PriorityQueue<Request> queue = isAggregation(vertex) ? waitingAggregations : waiting;
    queue.add(new Request(attempt, vertex.getDistanceFromRoot(), requests++));
    fillSlots();
  }

  private boolean aggregationsApart() {
    return dag.getConf().getBoolean(AGGREGATIONS_APART, false);
  }

  @Override
  public void taskCompletedEx(DAGEventSchedulerUpdate event) {
    TezTaskAttemptID id = event.getTaskAttemptID();
    running.remove(id);
    aggregating.remove(id);
    beyondSlots.remove(id);
    if (!inSlots.remove(id)) {
      waiting.removeIf(request -> request.attempt().getTaskAttemptID().equals(id));
      waitingAggregations.removeIf(request -> request.attempt().getTaskAttemptID().equals(id));
    }
    fillSlots();
  }

  private void fillSlots() {
    int slots = dag.getConf().getInt(SLOTS, 1);
    for (boolean filling = true; filling; ) {
      boolean free = inSlots.size() < slots;
      // What aggregations wait for must be able to run, even if they have all slots.
      boolean onlyAggregations = inSlots.size() == aggregating.size();
      Optional<Request> next = next();
      if (free
          && !waitingAggregations.isEmpty()
          && (aggregating.size() < slots / 2
              || (waiting.isEmpty() && producersHaveAsked(waitingAggregations.peek())))) {
        aggregating.add(takeSlot(waitingAggregations.remove()));
      } else if (next.isPresent() && (free || onlyAggregations)) {
        waiting.remove(next.get());
        takeSlot(next.get());
      } else {
        // Aggregations first: they cannot go on, either, without what is run again before them.
        filling =
            startAwaited(waitingAggregations, Integer.MAX_VALUE)
                || startAwaited(waiting, Math.max(1, slots / 2));
      }
    }
  }

  /** The request that gets the next slot. */
  private Optional<Request> next() {
    return waiting.stream().filter(this::producersHaveAsked).min(ORDER);
  }

  /** Whether it is the second attempt of a task that runs: aggregations may wait for the task. */
  private boolean overtakes(Request request) {
    TezTaskID task = request.attempt().getTaskAttemptID().getTaskID();
    return running.keySet().stream().anyMatch(id -> id.getTaskID().equals(task));
  }

  /** Whether all that the task reads from has asked for its slots, or has succeeded before. */
  private boolean producersHaveAsked(Request request) {
    return dag.getVertex(request.attempt().getVertexID()).getInputVertices().keySet().stream()
        .flatMap(producer -> producer.getTasks().values().stream())
        .allMatch(
            task -> asked.contains(task.getTaskID()) || task.getState() == TaskState.SUCCEEDED);
  }

  /**
   * Starts a task for which others wait that run; false when there is none.
   *
   * @param most how many tasks of its vertex may run beyond the slots
   */
  private boolean startAwaited(PriorityQueue<Request> queue, int most) {
    Optional<Request> awaited =
        queue.stream()
            .filter(request -> beyondSlots(request.attempt().getVertexID()) < most)
            .filter(
                request ->
                    overtakes(request)
                        || isWaitedFor(dag.getVertex(request.attempt().getVertexID())))
            .findFirst();
    awaited.ifPresent(
        request -> {
          queue.remove(request);
          if (queue == waiting) {
            beyondSlots.put(request.attempt().getTaskAttemptID(), request.attempt().getVertexID());
          }
          start(request.attempt());
        });
    return awaited.isPresent();
  }

  private long beyondSlots(TezVertexID vertex) {
    return beyondSlots.values().stream().filter(vertex::equals).count();
  }

  private TezTaskAttemptID takeSlot(Request request) {
    TezTaskAttemptID id = request.attempt().getTaskAttemptID();
    inSlots.add(id);
    start(request.attempt());
    return id;
  }

  private void start(TaskAttempt attempt) {
    Vertex vertex = dag.getVertex(attempt.getVertexID());
    running.put(attempt.getTaskAttemptID(), attempt.getVertexID());
    handler.handle(
        new TaskAttemptEventSchedule(
            attempt.getTaskAttemptID(),
            getPriorityLowLimit(dag, vertex),
            getPriorityHighLimit(dag, vertex)));
  }

  private static boolean isAggregation(Vertex vertex) {
    return vertex
        .getProcessorDescriptor()
        .getClassName()
        .equals(AggregationProcessor.class.getName());
  }

  /**
   * Whether a task runs that cannot go on without this vertex. A stage behind it would not have
   * started if its tasks had not finished before, so they are run again.
   */
  private boolean isWaitedFor(Vertex vertex) {
    for (TezVertexID id : running.values()) {
      Vertex other = dag.getVertex(id);
      if (!isAggregation(other) && readsFrom(other, vertex)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a vertex reads from another one, directly or through others. */
  private static boolean readsFrom(Vertex vertex, Vertex producer) {
    return vertex.getInputVertices().keySet().stream()
        .anyMatch(input -> input.equals(producer) || readsFrom(input, producer));
  }
}
