// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.Parallelism.Coalescing;
import dev.anemone.passes.graph.RelayChain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A sampling of the IR, as the engine runs it. Task {@code k} of a clone reads what task {@code
 * sample[k]} of its original reads, and would write the same; so there is no need to run both. The
 * engine runs the original's tasks of the sample ahead of the others, measures what they write, and
 * keeps it.
 *
 * <pre>
 * IR:      X --&gt; A --s SHUFFLE--&gt; C,  X --&gt; A-sampled --&gt; collection --&gt; aggregation ..&gt; A
 * engine:  X --&gt; A (tasks of the sample first, the others after C's ranges are drawn) --&gt; C
 * </pre>
 *
 * <p>What comes into a stage that may lose tasks ({@link Coalescing}), or of whose joined sides one
 * may be divided ({@link Divisibility.Measured}), is measured in all tasks of its producers, which
 * needs no clone in the IR.
 *
 * @param messageId the message that tells what was measured
 * @param measured the measured shuffles by edge id, each with the tasks of its producer that are
 *     sampled, ascending
 * @param held ids of the vertices whose other tasks wait for the message
 * @param divides whether partitions may be divided among tasks for the message
 */
public record Sampling(
    String messageId, Map<String, List<Integer>> measured, Set<String> held, boolean divides) {

  public Sampling {
    Objects.requireNonNull(messageId, "messageId");
    measured = Collections.unmodifiableMap(new LinkedHashMap<>(measured));
    held = Collections.unmodifiableSet(new LinkedHashSet<>(held));
  }

  /**
   * The samplings of a graph, in the order of their aggregations, and then those of stages that are
   * measured whole. A shuffle is measured for one message.
   */
  public static List<Sampling> of(IRDag dag) {
    List<Sampling> samplings = new ArrayList<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof MetricAggregationVertex aggregation) {
        samplings.add(of(dag, aggregation));
      }
    }
    Set<String> measured = new HashSet<>();
    samplings.forEach(sampling -> measured.addAll(sampling.measured().keySet()));
    measuredWhole(dag)
        .forEach(
            (messageId, tasks) -> {
              if (Collections.disjoint(tasks.keySet(), measured)) {
                samplings.add(new Sampling(messageId, tasks, Set.of(), divides(dag, messageId)));
              }
            });
    return samplings;
  }

  /** By message, the shuffles by key into its vertices, which are measured whole. */
  private static Map<String, Map<String, List<Integer>>> measuredWhole(IRDag dag) {
    Map<String, Map<String, List<Integer>>> measured = new LinkedHashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      Optional<String> messageId = messageOf(vertex);
      if (messageId.isEmpty() || vertex instanceof SampledVertex) {
        continue;
      }
      for (IREdge edge : dag.incoming(vertex.id())) {
        if (Transfer.of(edge) == Transfer.GROUPED) {
          IREdge written = RelayChain.first(dag, edge);
          measured
              .computeIfAbsent(messageId.get(), k -> new LinkedHashMap<>())
              .put(written.id(), allTasks(dag.vertex(written.from())));
        }
      }
    }
    return measured;
  }

  private static boolean divides(IRDag dag, String messageId) {
    return dag.vertices().stream()
        .flatMap(vertex -> vertex.property(Divisibility.Measured.class).stream())
        .anyMatch(measured -> measured.messageId().equals(messageId));
  }

  private static Optional<String> messageOf(IRVertex vertex) {
    return vertex
        .property(Coalescing.class)
        .map(Coalescing::messageId)
        .or(
            () ->
                vertex.property(Divisibility.Measured.class).map(Divisibility.Measured::messageId));
  }

  private static List<Integer> allTasks(IRVertex vertex) {
    int tasks = vertex.property(Parallelism.class).orElseThrow().tasks();
    return IntStream.range(0, tasks).boxed().toList();
  }

  private static Sampling of(IRDag dag, MetricAggregationVertex aggregation) {
    Map<String, List<Integer>> measured = new LinkedHashMap<>();
    for (IREdge in : dag.incoming(aggregation.id())) {
      MetricCollectionVertex collection = (MetricCollectionVertex) dag.vertex(in.from());
      SampledVertex clone = (SampledVertex) dag.vertex(dag.incoming(collection.id()).get(0).from());
      measured.put(collection.measured(), clone.sample());
    }
    Set<String> held = new LinkedHashSet<>();
    for (ControlDependency dependency : dag.controlDependencies()) {
      if (dependency.from().equals(aggregation.id())) {
        held.add(dependency.to());
      }
    }
    return new Sampling(aggregation.messageId(), measured, held, true);
  }

  /** The graph without what its samplings have put in. */
  public static IRDag originals(IRDag dag) {
    List<IRVertex> sampling =
        dag.vertices().stream()
            .filter(
                vertex ->
                    vertex instanceof SampledVertex
                        || vertex instanceof MetricCollectionVertex
                        || vertex instanceof MetricAggregationVertex)
            .toList();
    if (sampling.isEmpty()) {
      return dag;
    }
    IRDag.Builder builder = dag.toBuilder();
    dag.controlDependencies().forEach(builder::remove);
    Set<IREdge> edges = new LinkedHashSet<>();
    for (IRVertex vertex : sampling) {
      edges.addAll(dag.incoming(vertex.id()));
      edges.addAll(dag.outgoing(vertex.id()));
    }
    edges.forEach(edge -> builder.removeEdge(edge.id()));
    sampling.forEach(vertex -> builder.removeVertex(vertex.id()));
    return builder.build();
  }
}
