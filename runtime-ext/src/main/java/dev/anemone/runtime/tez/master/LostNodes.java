// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.tez.dag.api.oldrecords.TaskState;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.records.TezTaskAttemptID;

/**
 * The nodes that YARN says are lost. Attempts may turn out only afterwards to have succeeded there:
 * a second application master hears of the node with its first heartbeat, and reads later, from the
 * recovery's log, what ran on it. YARN does not say it again. Thread-safe.
 */
public final class LostNodes {

  /** A node that is only unhealthy goes on to serve the blocks that it has. */
  private static final Set<NodeState> GONE =
      EnumSet.of(NodeState.LOST, NodeState.DECOMMISSIONED, NodeState.SHUTDOWN);

  private final Set<NodeId> lost = ConcurrentHashMap.newKeySet();

  /** Attempts on nodes that were lost by then, whose tasks may not know that they succeeded. */
  private final Map<TezTaskAttemptID, NodeId> late = new ConcurrentHashMap<>();

  /**
   * Takes what YARN says of nodes, and has blocks of those that are lost made again.
   *
   * @param dag the job that runs, if one does
   */
  public void update(Collection<NodeReport> reports, Optional<DAG> dag) {
    for (NodeReport report : reports) {
      update(report.getNodeId(), report.getNodeState(), dag);
    }
  }

  void update(NodeId node, NodeState state, Optional<DAG> dag) {
    if (GONE.contains(state)) {
      lost.add(node);
      dag.ifPresent(running -> LostBlocks.makeAgain(running, node));
    } else if (state == NodeState.RUNNING) {
      lost.remove(node);
    }
  }

  /** Takes note of an attempt that has succeeded, or is recovered, whose node is known. */
  public void succeeded(TaskAttempt attempt) {
    NodeId node = attempt.getNodeId();
    if (node != null && lost.contains(node)) {
      late.put(attempt.getTaskAttemptID(), node);
    }
  }

  /**
   * Has blocks made again that were noted since, of those attempts whose tasks know that they
   * succeeded; the others are looked at the next time.
   */
  public void makeAgain(DAG dag) {
    Set<NodeId> again = new HashSet<>();
    for (Iterator<Map.Entry<TezTaskAttemptID, NodeId>> left = late.entrySet().iterator();
        left.hasNext(); ) {
      Map.Entry<TezTaskAttemptID, NodeId> attempt = left.next();
      TaskState state = stateOf(attempt.getKey(), dag);
      if (state == TaskState.SUCCEEDED) {
        again.add(attempt.getValue());
      }
      if (state == TaskState.SUCCEEDED || state == TaskState.FAILED || state == TaskState.KILLED) {
        left.remove();
      }
    }
    again.forEach(node -> LostBlocks.makeAgain(dag, node));
  }

  /** Of an attempt's task; as if killed where it is of another job. */
  private static TaskState stateOf(TezTaskAttemptID attempt, DAG dag) {
    Vertex vertex = dag.getVertex(attempt.getVertexID());
    Task task = vertex == null ? null : vertex.getTask(attempt.getTaskID());
    return task == null ? TaskState.KILLED : task.getState();
  }
}
