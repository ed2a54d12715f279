// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.ResourceLocality;
import dev.anemone.ir.property.ResourcePriority;
import dev.anemone.ir.property.ResourceSite;
import dev.anemone.ir.property.ResourceSlot;
import dev.anemone.ir.property.VertexProperty;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Divides a graph into stages: maximal groups of vertices joined by one-to-one edges, with equal
 * parallelism and placement, such that the graph of stages has no cycle.
 *
 * <pre>
 * before: read ─1:1─ split ─1:1─ combiner ═shuffle═ merge ─1:1─ write
 * after:  [read split combiner] ═shuffle═ [merge write]
 * </pre>
 *
 * <p>A relay is a stage of its own: it is there to materialise what flows through it. DataFlow
 * plays no part in this; it speaks of edges between stages.
 */
public final class StagePartitioner {

  private static final List<Class<? extends VertexProperty>> PLACEMENT =
      List.of(
          Parallelism.class,
          ResourceSlot.class,
          ResourcePriority.class,
          ResourceLocality.class,
          ResourceSite.class,
          AntiAffinity.class,
          ClonedScheduling.class);

  private StagePartitioner() {}

  /** The stages of a graph in which every vertex has a {@link Parallelism}. */
  public static StageGraph partition(IRDag dag) {
    Map<String, Integer> groupOf = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      groupOf.put(vertex.id(), groupOf.size());
    }
    for (IRVertex vertex : dag.vertices()) {
      for (IREdge edge : dag.outgoing(vertex.id())) {
        int from = groupOf.get(edge.from());
        int to = groupOf.get(edge.to());
        if (from != to && isFusible(dag, edge)) {
          Map<String, Integer> merged = new HashMap<>(groupOf);
          merged.replaceAll((id, group) -> group == to ? from : group);
          if (!hasCycle(dag, merged)) {
            groupOf = merged;
          }
        }
      }
    }
    return new StageGraph(dag, stages(dag, groupOf));
  }

  private static boolean isFusible(IRDag dag, IREdge edge) {
    IRVertex from = dag.vertex(edge.from());
    IRVertex to = dag.vertex(edge.to());
    return edge.pattern() == CommunicationPattern.ONE_TO_ONE
        && !(from instanceof RelayVertex)
        && !(to instanceof RelayVertex)
        && PLACEMENT.stream().allMatch(p -> from.property(p).equals(to.property(p)));
  }

  /** Whether the graph of groups has a cycle; one-to-one edges inside a group do not count. */
  private static boolean hasCycle(IRDag dag, Map<String, Integer> groupOf) {
    Map<Integer, Set<Integer>> successors = new HashMap<>();
    for (IREdge edge : dag.edges()) {
      int from = groupOf.get(edge.from());
      int to = groupOf.get(edge.to());
      if (from != to) {
        successors.computeIfAbsent(from, k -> new HashSet<>()).add(to);
      } else if (!isFusible(dag, edge)) {
        return true;
      }
    }
    for (ControlDependency dependency : dag.controlDependencies()) {
      int from = groupOf.get(dependency.from());
      int to = groupOf.get(dependency.to());
      if (from == to) {
        return true;
      }
      successors.computeIfAbsent(from, k -> new HashSet<>()).add(to);
    }
    return topologicalOrder(new HashSet<>(groupOf.values()), successors).size()
        < new HashSet<>(groupOf.values()).size();
  }

  private static List<Integer> topologicalOrder(
      Set<Integer> groups, Map<Integer, Set<Integer>> successors) {
    Map<Integer, Integer> missing = new HashMap<>();
    groups.forEach(group -> missing.put(group, 0));
    successors.values().forEach(tos -> tos.forEach(to -> missing.merge(to, 1, Integer::sum)));
    Deque<Integer> ready = new ArrayDeque<>();
    groups.stream().sorted().filter(group -> missing.get(group) == 0).forEach(ready::add);
    List<Integer> order = new ArrayList<>();
    while (!ready.isEmpty()) {
      int group = ready.remove();
      order.add(group);
      successors.getOrDefault(group, Set.of()).stream()
          .sorted()
          .filter(to -> missing.merge(to, -1, Integer::sum) == 0)
          .forEach(ready::add);
    }
    return order;
  }

  private static List<Stage> stages(IRDag dag, Map<String, Integer> groupOf) {
    Map<Integer, List<IRVertex>> members = new LinkedHashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      members.computeIfAbsent(groupOf.get(vertex.id()), k -> new ArrayList<>()).add(vertex);
    }
    Map<Integer, Set<Integer>> successors = new HashMap<>();
    for (IREdge edge : dag.edges()) {
      int from = groupOf.get(edge.from());
      int to = groupOf.get(edge.to());
      if (from != to) {
        successors.computeIfAbsent(from, k -> new HashSet<>()).add(to);
      }
    }
    List<Stage> stages = new ArrayList<>();
    for (int group : topologicalOrder(members.keySet(), successors)) {
      List<IRVertex> vertices = members.get(group);
      int parallelism = vertices.get(0).property(Parallelism.class).orElseThrow().tasks();
      stages.add(new Stage("stage" + stages.size(), parallelism, vertices));
    }
    return stages;
  }
}
