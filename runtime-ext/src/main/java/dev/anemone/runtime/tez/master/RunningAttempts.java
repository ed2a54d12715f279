// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.master;

import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import org.apache.tez.dag.records.TezTaskAttemptID;
import org.apache.tez.dag.records.TezTaskID;
import org.apache.tez.dag.records.TezVertexID;

/** The task attempts that run, and what they wait for. Not thread-safe. */
final class RunningAttempts {

  private final VertexGraph graph;
  private final Set<TezTaskAttemptID> attempts = new HashSet<>();
  private final Tally<TezTaskID> tasks = new Tally<>();

  /** Without aggregations: those go on without what comes before them. */
  private final Tally<TezVertexID> vertices = new Tally<>();

  /** Numbers of the vertices that any of {@link #vertices} reads from. */
  private final BitSet waitedFor = new BitSet();

  RunningAttempts(VertexGraph graph) {
    this.graph = graph;
  }

  /** Adds an attempt; true when it is the only one of its task. */
  boolean add(TezTaskAttemptID id) {
    if (!attempts.add(id)) {
      return false;
    }
    TezVertexID vertex = id.getVertexID();
    if (!graph.isAggregation(vertex) && vertices.add(vertex)) {
      waitedFor.or(graph.before(vertex));
    }
    return tasks.add(id.getTaskID());
  }

  /** Takes away an attempt if it runs; true when none of its task is left. */
  boolean remove(TezTaskAttemptID id) {
    if (!attempts.remove(id)) {
      return false;
    }
    TezVertexID vertex = id.getVertexID();
    if (!graph.isAggregation(vertex) && vertices.remove(vertex)) {
      waitedFor.clear();
      vertices.keys().forEach(left -> waitedFor.or(graph.before(left)));
    }
    return tasks.remove(id.getTaskID());
  }

  boolean contains(TezTaskAttemptID id) {
    return attempts.contains(id);
  }

  /** How many have a container, and do not wait for one. */
  int inContainers() {
    return (int) attempts.stream().filter(graph::isInContainer).count();
  }

  boolean anyOf(TezTaskID task) {
    return tasks.count(task) > 0;
  }

  /**
   * Whether a task runs that cannot go on without this vertex. A stage behind it would not have
   * started if its tasks had not finished before, so they are run again.
   */
  boolean waitFor(TezVertexID vertex) {
    return waitedFor.get(vertex.getId());
  }
}
