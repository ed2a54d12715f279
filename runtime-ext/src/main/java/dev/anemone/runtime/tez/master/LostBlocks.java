// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.tez.dag.api.EdgeManagerPluginDescriptor;
import org.apache.tez.dag.api.EdgeProperty;
import org.apache.tez.dag.api.oldrecords.TaskState;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.app.dag.event.TaskAttemptEventNodeFailed;
import org.apache.tez.dag.records.TaskAttemptTerminationCause;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;

/**
 * Has blocks that lay on a lost node made again, as soon as YARN says that it is lost. Those who
 * read them would find out by themselves, but only after they have tried for long, since a node
 * that does not answer may be back in a moment. Spark forgets what a lost executor has written, in
 * the same way; Tez can do it only for all that ever ran on the node, whether anybody still needs
 * it or not.
 *
 * <pre>
 * stage0 --SHUFFLE--> stage1 --SHUFFLE--> stage2       on the node: one task of each
 * all done            all done            runs          stage1's runs again, and stage0's before it
 * all done            all done            all done      nothing runs again
 * </pre>
 */
public final class LostBlocks {

  /** Setting of a vertex: whether what its tasks write for others goes with their nodes. */
  private static final String GO_WITH_NODES = "anemone.blocks.go-with-nodes";

  private final DAG dag;
  private final NodeId node;

  /** Of each vertex the tasks that are to run again. */
  private final Map<TezVertexID, BitSet> again = new HashMap<>();

  /** Of each aggregation {@link #gatheringSince}. */
  private final Map<TezVertexID, Long> gathering = new HashMap<>();

  private LostBlocks(DAG dag, NodeId node) {
    this.dag = dag;
    this.node = node;
  }

  /** The settings of a vertex whose blocks go with the nodes that they are on, or do not. */
  public static Map<String, String> settings(boolean goWithNodes) {
    return Map.of(GO_WITH_NODES, Boolean.toString(goWithNodes));
  }

  /** Asks Tez to run those tasks again whose blocks were on a node and are needed. Thread-safe. */
  @SuppressWarnings("unchecked") // Tez declares its handlers so
  public static void makeAgain(DAG dag, NodeId node) {
    if (dag.isComplete()) {
      return; // nobody waits for the readers of a job that has failed
    }
    for (TezTaskAttemptID attempt : new LostBlocks(dag, node).needed()) {
      dag.getEventHandler()
          .handle(
              new TaskAttemptEventNodeFailed(
                  attempt,
                  "its blocks were on " + node + ", which YARN says is lost",
                  TaskAttemptTerminationCause.NODE_FAILED));
    }
  }

  /** Vertices that read come before those that they read from: what runs again reads again. */
  private List<TezTaskAttemptID> needed() {
    List<TezTaskAttemptID> attempts = new ArrayList<>();
    dag.getVertices().values().stream()
        .sorted(Comparator.comparingInt(Vertex::getDistanceFromRoot).reversed())
        .filter(vertex -> vertex.getConf().getBoolean(GO_WITH_NODES, false))
        .forEach(vertex -> addNeeded(vertex, attempts));
    return attempts;
  }

  private void addNeeded(Vertex vertex, List<TezTaskAttemptID> attempts) {
    BitSet ofVertex = new BitSet();
    again.put(vertex.getVertexId(), ofVertex);
    for (Task task : vertex.getTasks().values()) {
      success(task)
          .filter(attempt -> node.equals(attempt.getNodeId()))
          .filter(attempt -> isNeeded(vertex, attempt))
          .map(TaskAttempt::getTaskAttemptID)
          .ifPresent(
              attempt -> {
                ofVertex.set(attempt.getTaskID().getId());
                attempts.add(attempt);
              });
    }
  }

  private static Optional<TaskAttempt> success(Task task) {
    return task.getState() == TaskState.SUCCEEDED
        ? Optional.ofNullable(task.getSuccessfulAttempt())
        : Optional.empty();
  }

  private boolean isNeeded(Vertex producer, TaskAttempt success) {
    return producer.getOutputVertices().entrySet().stream()
        .anyMatch(edge -> isNeeded(success, edge.getKey(), edge.getValue().getEdgeProperty()));
  }

  private boolean isNeeded(TaskAttempt success, Vertex consumer, EdgeProperty edge) {
    if (AggregationTasks.areOf(consumer)) {
      return success.getFinishTime()
          <= gathering.computeIfAbsent(consumer.getVertexId(), id -> gatheringSince(consumer));
    }
    return isOneToOne(edge)
        ? reads(consumer, success.getTaskAttemptID().getTaskID().getId())
        : readsAny(consumer);
  }

  /**
   * Since when all tasks of an aggregation run that have not ended, in ms of the master's clock;
   * the end of time where one does not. What was pushed by then may be lost with another attempt,
   * and is read from the block.
   */
  private long gatheringSince(Vertex aggregation) {
    BitSet gatheredAgain = again.getOrDefault(aggregation.getVertexId(), new BitSet());
    long since = Long.MIN_VALUE;
    for (Task task : aggregation.getTasks().values()) {
      boolean repeated = gatheredAgain.get(task.getTaskID().getId());
      if (repeated || task.getState() != TaskState.SUCCEEDED) {
        long launch = AggregationTasks.firstLaunch(task).orElse(Long.MAX_VALUE);
        since = Math.max(since, repeated ? Long.MAX_VALUE : launch);
      }
    }
    return since;
  }

  private static boolean isOneToOne(EdgeProperty edge) {
    EdgeManagerPluginDescriptor manager = edge.getEdgeManagerDescriptor();
    return manager != null && manager.getClassName().equals(OneToOneEdgeManager.class.getName());
  }

  /** Whether a task of a consumer has not ended, or is to run again. */
  private boolean reads(Vertex consumer, int task) {
    Task reader = consumer.getTask(TezTaskID.getInstance(consumer.getVertexId(), task));
    return reader == null
        || reader.getState() != TaskState.SUCCEEDED
        || again.getOrDefault(consumer.getVertexId(), new BitSet()).get(task);
  }

  private boolean readsAny(Vertex consumer) {
    return consumer.getSucceededTasks() < consumer.getTotalTasks()
        || !again.getOrDefault(consumer.getVertexId(), new BitSet()).isEmpty();
  }
}
