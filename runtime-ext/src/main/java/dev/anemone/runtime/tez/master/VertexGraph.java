// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.tez.dag.api.oldrecords.TaskState;
import org.apache.tez.dag.app.dag.DAG;
import org.apache.tez.dag.app.dag.Task;
import org.apache.tez.dag.app.dag.TaskAttempt;
import org.apache.tez.dag.app.dag.Vertex;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;

/**
 * What {@link SlotScheduler} asks about vertices: which come before one, and whether their tasks
 * have asked for slots. With more tasks an answer takes no longer than to look at a bit of each.
 * Not thread-safe.
 */
final class VertexGraph {

  private final DAG dag;
  private final Map<TezVertexID, BitSet> before = new HashMap<>();

  /** Of each vertex the tasks that have asked, or were seen to have succeeded without. */
  private final Map<TezVertexID, BitSet> asked = new HashMap<>();

  VertexGraph(DAG dag) {
    this.dag = dag;
  }

  Vertex vertex(TezVertexID id) {
    return dag.getVertex(id);
  }

  boolean isAggregation(TezVertexID id) {
    return AggregationTasks.areOf(vertex(id));
  }

  /** Whether a container has taken an attempt that runs. */
  boolean isInContainer(TezTaskAttemptID id) {
    TaskAttempt attempt = vertex(id.getVertexID()).getTask(id.getTaskID()).getAttempt(id);
    return attempt.getAssignedContainerID() != null;
  }

  /** The numbers of the vertices that one reads from, directly or through others. */
  BitSet before(TezVertexID id) {
    BitSet known = before.get(id);
    if (known != null) {
      return known;
    }
    BitSet found = new BitSet();
    for (Vertex input : vertex(id).getInputVertices().keySet()) {
      found.set(input.getVertexId().getId());
      found.or(before(input.getVertexId()));
    }
    before.put(id, found);
    return found;
  }

  /** Notes that a task has asked for a slot. */
  void hasAsked(TezTaskID task) {
    asked(task.getVertexID()).set(task.getId());
  }

  /** Whether all that a vertex reads from has asked for its slots, or has succeeded before. */
  boolean producersHaveAsked(TezVertexID id) {
    return vertex(id).getInputVertices().keySet().stream().allMatch(this::haveAsked);
  }

  private boolean haveAsked(Vertex vertex) {
    BitSet done = asked(vertex.getVertexId());
    // Asked for each time: a vertex may get another number of tasks before it starts.
    Map<TezTaskID, Task> tasks = vertex.getTasks();
    for (int i = done.nextClearBit(0); i < tasks.size(); i = done.nextClearBit(i)) {
      // No attempt asks for a task whose success was recovered.
      Task task = tasks.get(TezTaskID.getInstance(vertex.getVertexId(), i));
      if (task.getState() != TaskState.SUCCEEDED) {
        return false;
      }
      done.set(i);
    }
    return true;
  }

  private BitSet asked(TezVertexID vertex) {
    return asked.computeIfAbsent(vertex, k -> new BitSet());
  }
}
