// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import java.util.List;
import java.util.Optional;

/** What several edits demand of a graph before they change it. */
final class EditPreconditions {

  private EditPreconditions() {}

  static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }

  /** The clone of a vertex, if it is sampled. */
  static Optional<SampledVertex> cloneOf(IRDag dag, String vertexId) {
    return dag.vertices().stream()
        .filter(SampledVertex.class::isInstance)
        .map(SampledVertex.class::cast)
        .filter(sampled -> sampled.original().equals(vertexId))
        .findFirst();
  }

  /**
   * A clone reads what its original reads, so neither the original nor its in-edges may change
   * while there is a clone.
   */
  static void requireNotSampled(IRDag dag, String vertexId, String what) {
    cloneOf(dag, vertexId)
        .ifPresent(
            clone -> {
              throw new IllegalArgumentException(
                  "cannot "
                      + what
                      + ": vertex "
                      + vertexId
                      + " is sampled by "
                      + clone.id()
                      + ", which must go on reading what it reads; do this before the sampling is"
                      + " inserted, or delete the sampling first");
            });
  }

  /**
   * A collection measures the output of a vertex for an edge, so the edge must go on being a
   * shuffle of that output while it does.
   */
  static void requireNotMeasured(IRDag dag, IREdge edge, String what) {
    for (IRVertex vertex : dag.vertices()) {
      require(
          !(vertex instanceof MetricCollectionVertex collection
              && collection.measured().equals(edge.id())),
          "cannot "
              + what
              + ": edge "
              + edge.id()
              + " is measured by "
              + vertex.id()
              + "; do this before the sampling is inserted, or delete the sampling first");
    }
  }

  /** Partitions of a shuffle with an alias go one way or the other, which a relay would undo. */
  static void requireNoAlias(IRDag dag, IREdge edge, String what) {
    boolean recombined =
        ShuffleAliases.isAlias(dag, edge)
            || ShuffleAliases.aliasOf(dag, edge).isPresent()
            || ShuffleAliases.isRecombiner(dag, edge.from());
    require(
        !recombined,
        "cannot "
            + what
            + ": a recombiner shares the data of edge "
            + edge.id()
            + " with its consumer; do this before the recombiner is inserted, or delete the"
            + " recombiner first");
  }

  /** The vertex as the given kind. */
  static <V extends IRVertex> V requireKind(
      IRDag dag, String vertexId, Class<V> kind, String what) {
    IRVertex vertex = dag.vertex(vertexId);
    if (!kind.isInstance(vertex)) {
      throw new IllegalArgumentException(
          "cannot "
              + what
              + ": vertex "
              + vertexId
              + " is a "
              + vertex.getClass().getSimpleName()
              + ", not a "
              + kind.getSimpleName());
    }
    return kind.cast(vertex);
  }

  /** The result of an edit, unless vertices of it would wait for each other. */
  static IRDag requireNoDeadlock(IRDag dag, String what) {
    List<String> cycle = dag.waitCycle();
    require(
        cycle.isEmpty(),
        "cannot " + what + ": the vertices " + cycle + " would wait for each other");
    return dag;
  }
}
