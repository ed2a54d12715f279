package dev.anemone.runtime.tez;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.DAGScheduler;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.event.DAGEventSchedulerUpdate;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventSchedule;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezVertexID;

/**
 * Hands out the slots of the local mode. Tez's local scheduler ends running tasks when a task that
 * comes before them in the graph needs a slot and none is free, which for an aggregation task that
 * producers push to would mean to lose all that it has. So it never gets to see more tasks than it
 * has places for; the slots are counted here:
 *
 * <ul>
 *   <li>tasks of aggregations have places of their own beside the slots: they wait for data most of
 *       the time, and waiting for a slot they would be of no use;
 *   <li>of the other tasks at most as many run as there are slots, those nearest to the sources
 *       first;
 *   <li>a task that is run again, while tasks run that read from it, goes at once, slot or not:
 *       they wait for it.
 * </ul>
 *
 * <p>Used by the dispatcher thread of Tez's application master.
 */
public final class SlotScheduler extends DAGScheduler {

  /** Setting of the DAG: slots for tasks that are not aggregations. */
  static final String SLOTS = "anemone.slots";

  private final DAG dag;
  private final EventHandler<TaskAttemptEventSchedule> handler;
  private final Map<TezTaskAttemptID, TezVertexID> running = new HashMap<>();
  private final Set<TezTaskAttemptID> inSlots = new HashSet<>();
  private final PriorityQueue<Request> waiting =
      new PriorityQueue<>(
          Comparator.comparingInt(Request::distance).thenComparingLong(Request::number));
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

  @Override
  public void scheduleTaskEx(DAGEventSchedulerUpdate event) {
    TaskAttempt attempt = event.getAttempt();
    Vertex vertex = dag.getVertex(attempt.getVertexID());
    if (isAggregation(vertex) || isWaitedFor(vertex)) {
      start(attempt);
      return;
    }
    waiting.add(new Request(attempt, vertex.getDistanceFromRoot(), requests++));
    fillSlots();
  }

  @Override
  public void taskCompletedEx(DAGEventSchedulerUpdate event) {
    TezTaskAttemptID id = event.getTaskAttemptID();
    running.remove(id);
    if (!inSlots.remove(id)) {
      waiting.removeIf(request -> request.attempt().getTaskAttemptID().equals(id));
    }
    fillSlots();
  }

  private void fillSlots() {
    int slots = dag.getConf().getInt(SLOTS, 1);
    while (inSlots.size() < slots && !waiting.isEmpty()) {
      TaskAttempt attempt = waiting.remove().attempt();
      inSlots.add(attempt.getTaskAttemptID());
      start(attempt);
    }
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
