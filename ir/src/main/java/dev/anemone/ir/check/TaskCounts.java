// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.Parallelism;
import java.util.OptionalInt;

/** How many tasks read an edge. */
final class TaskCounts {

  private TaskCounts() {}

  /** The parallelism of a vertex, if it is known. */
  static OptionalInt of(IRDag dag, String vertexId) {
    return dag.hasVertex(vertexId)
        ? dag.vertex(vertexId)
            .property(Parallelism.class)
            .map(parallelism -> OptionalInt.of(parallelism.tasks()))
            .orElse(OptionalInt.empty())
        : OptionalInt.empty();
  }

  /**
   * The number of tasks among which an edge divides its data, if it is known. A clone reads as some
   * tasks of its original, so the original's tasks count, unless the clone reads another clone of
   * the same sample.
   */
  static OptionalInt readers(IRDag dag, IREdge edge) {
    IRVertex consumer = dag.vertex(edge.to());
    return consumer instanceof SampledVertex clone && !isOfSameSample(dag, edge.from(), clone)
        ? of(dag, clone.original())
        : of(dag, edge.to());
  }

  /** Whether a vertex is a clone that runs the same tasks as another clone. */
  static boolean isOfSameSample(IRDag dag, String vertexId, SampledVertex clone) {
    return dag.vertex(vertexId) instanceof SampledVertex other
        && other.sample().equals(clone.sample());
  }
}
