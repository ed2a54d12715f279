// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.DataStore;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Property;
import dev.anemone.ir.property.SharedOutput;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.defaults.CompressionPass;
import dev.anemone.passes.defaults.DataFlowPass;
import dev.anemone.passes.defaults.DataStorePass;
import dev.anemone.passes.defaults.EncoderPass;
import dev.anemone.passes.defaults.PartitionerPass;
import dev.anemone.passes.graph.Annotator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes once what several consumers read alike, such as the graph that every iteration of PageRank
 * joins its ranks with.
 *
 * <pre>
 * before:  links --e1 SHUFFLE--> ranks-1        after:  links --e1 SHUFFLE--> ranks-1
 *          links --e2 SHUFFLE--> ranks-2                links --e2 SHUFFLE shares e1--> ranks-2
 * </pre>
 *
 * <p>Shuffles and broadcasts that are pulled share, if they partition, sort, encode, compress and
 * store the same output in the same way. What is measured, sampled or combined further keeps an
 * output of its own, because its consumers do not read it as it was written. Apache Nemo has it as
 * its duplicate edge groups.
 */
public final class SharedOutputPass implements AnnotatingPass {

  /** What edges must have in common. */
  private record Output(String from, String name, List<Object> properties) {}

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(SharedOutput.class);
  }

  @Override
  public Set<Class<? extends Property>> reads() {
    return Set.of(DataFlow.class, DataStore.class, Compression.class);
  }

  @Override
  public Set<String> requires() {
    return Set.of(
        EncoderPass.class.getName(),
        PartitionerPass.class.getName(),
        DataFlowPass.class.getName(),
        DataStorePass.class.getName(),
        CompressionPass.class.getName());
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    Set<String> apart = apart(dag);
    Map<Output, String> written = new HashMap<>();
    return Annotator.edges(
        dag,
        SharedOutput.class,
        edge -> {
          if (!canShare(dag, edge) || apart.contains(edge.id())) {
            return Optional.empty();
          }
          return Optional.ofNullable(written.putIfAbsent(output(edge), edge.id()))
              .map(SharedOutput::new);
        });
  }

  private static boolean canShare(IRDag dag, IREdge edge) {
    IRVertex consumer = dag.vertex(edge.to());
    return (edge.pattern() == CommunicationPattern.SHUFFLE
            || edge.pattern() == CommunicationPattern.BROADCAST)
        && edge.property(DataFlow.class).equals(Optional.of(DataFlow.PULL))
        && !(consumer instanceof RelayVertex)
        && !(consumer instanceof CombinerVertex)
        && !(dag.vertex(edge.from()) instanceof RelayVertex);
  }

  /** The edges that have a part in a sampling. */
  private static Set<String> apart(IRDag dag) {
    Set<String> vertices = new HashSet<>();
    Set<String> edges = new HashSet<>();
    dag.controlDependencies().stream().map(ControlDependency::to).forEach(vertices::add);
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex sampled) {
        vertices.add(sampled.id());
        vertices.add(sampled.original());
      }
      if (vertex instanceof MetricCollectionVertex collection) {
        edges.add(collection.measured());
      }
    }
    for (IREdge edge : dag.edges()) {
      if (vertices.contains(edge.from()) || vertices.contains(edge.to())) {
        edges.add(edge.id());
      }
    }
    return edges;
  }

  private static Output output(IREdge edge) {
    List<Object> properties =
        new ArrayList<>(
            SharedOutput.ALIKE.stream().map(type -> (Object) edge.property(type)).toList());
    properties.add(edge.property(PartitionSet.class).map(PartitionSet::partitions));
    return new Output(edge.from(), edge.output(), List.copyOf(properties));
  }
}
