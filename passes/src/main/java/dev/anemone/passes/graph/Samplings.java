// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the samplings in a graph hold on to, so that it must stay as it is. Immutable. */
public final class Samplings {

  private final Set<String> sampled;
  private final Set<String> measured;

  private Samplings(Set<String> sampled, Set<String> measured) {
    this.sampled = sampled;
    this.measured = measured;
  }

  /** Those of a graph. */
  public static Samplings of(IRDag dag) {
    return new Samplings(
        of(dag, SampledVertex.class).map(SampledVertex::original).collect(Collectors.toSet()),
        of(dag, MetricCollectionVertex.class)
            .map(MetricCollectionVertex::measured)
            .collect(Collectors.toSet()));
  }

  private static <V extends IRVertex> Stream<V> of(IRDag dag, Class<V> kind) {
    return dag.vertices().stream().filter(kind::isInstance).map(kind::cast);
  }

  /** Whether a vertex has a clone that runs for a sample of its tasks. */
  public boolean sample(String vertexId) {
    return sampled.contains(vertexId);
  }

  /** Whether what goes over an edge is measured. */
  public boolean measure(String edgeId) {
    return measured.contains(edgeId);
  }
}
