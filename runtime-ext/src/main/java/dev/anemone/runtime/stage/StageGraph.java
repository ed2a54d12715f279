// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An IR graph divided into stages. Immutable.
 *
 * @param dag the graph
 * @param stages its stages, every producer before its consumers; each vertex is in exactly one
 */
public record StageGraph(IRDag dag, List<Stage> stages) {

  public StageGraph {
    stages = List.copyOf(stages);
  }

  /** The stage of each vertex, by the vertex's id. */
  public Map<String, Stage> stageOf() {
    Map<String, Stage> stageOf = new HashMap<>();
    stages.forEach(stage -> stage.vertices().forEach(v -> stageOf.put(v.id(), stage)));
    return stageOf;
  }

  /** The edges whose ends are in different stages, in the graph's order. */
  public List<IREdge> crossingEdges() {
    Map<String, Stage> stageOf = stageOf();
    return dag.edges().stream()
        .filter(edge -> !stageOf.get(edge.from()).equals(stageOf.get(edge.to())))
        .toList();
  }
}
