// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.edit.SampledStage;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.ScheduleGroup;
import dev.anemone.passes.graph.Coscheduling;
import dev.anemone.passes.graph.DisjointSets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The stages that write the shuffles into one consumer, as far as they have to be run to write
 * them: a producer, and what one-to-one edges fuse with it and lead to it.
 *
 * <p>Only the deepest stages are held back for the message, those that come last in the graph. A
 * stage before them would be held back for data that comes later, or for its own:
 *
 * <pre>
 * P1 --SHUFFLE--> P2 --SHUFFLE--> C, P1 --SHUFFLE--> C      P2 is held, P1 is not
 * </pre>
 */
final class SampledProducers {

  private final IRDag dag;
  private final SampleTasks sampling;
  private final Coscheduling stages;
  private final Map<String, Integer> depths;

  /** Stages of a graph in which nothing is sampled yet of what will be. */
  SampledProducers(IRDag dag, SampleTasks sampling) {
    this.dag = dag;
    this.sampling = sampling;
    this.stages = new Coscheduling(dag);
    this.depths = stages.depths();
  }

  /** The sample of the stage of a vertex. */
  List<Integer> sample(String vertexId) {
    return sampling.of(KeyedConsumer.tasks(dag.vertex(vertexId)));
  }

  /** How deep the deepest of these vertices lies. */
  int deepest(Collection<String> producers) {
    return producers.stream().mapToInt(depths::get).max().orElse(0);
  }

  /** How deep a vertex lies: a vertex that waits for another one lies deeper than that. */
  int depth(String vertexId) {
    return depths.get(vertexId);
  }

  /** The stages of producers; those that share a vertex, or join one, are one stage. */
  List<SampledStage> of(Set<String> producers) {
    Set<String> needed = new LinkedHashSet<>();
    DisjointSets joined = new DisjointSets();
    for (String producer : producers) {
      addStage(producer, needed, joined);
    }
    Map<String, Set<String>> byRoot = new LinkedHashMap<>();
    for (String id : needed) {
      byRoot.computeIfAbsent(joined.find(id), root -> new TreeSet<>()).add(id);
    }
    int deepest = deepest(producers);
    List<SampledStage> sampled = new ArrayList<>();
    for (Set<String> stage : byRoot.values()) {
      String any = stage.iterator().next();
      sampled.add(new SampledStage(stage, sample(any), depth(any) == deepest && canBeHeld(stage)));
    }
    return sampled;
  }

  private void addStage(String producer, Set<String> needed, DisjointSets joined) {
    Deque<String> open = new ArrayDeque<>(List.of(producer));
    while (!open.isEmpty()) {
      String id = open.remove();
      if (!needed.add(id)) {
        continue;
      }
      for (IREdge edge : dag.incoming(id)) {
        if (edge.pattern() == CommunicationPattern.ONE_TO_ONE && stages.areTogether(edge)) {
          joined.union(id, edge.from());
          open.add(edge.from());
        }
      }
    }
  }

  /** With all tasks in the sample nobody is left to wait; a given group was given without it. */
  private boolean canBeHeld(Set<String> stage) {
    List<IRVertex> vertices = stage.stream().map(dag::vertex).toList();
    IRVertex any = vertices.get(0);
    return sample(any.id()).size() < KeyedConsumer.tasks(any)
        && vertices.stream().allMatch(v -> v.property(ScheduleGroup.class).isEmpty());
  }
}
