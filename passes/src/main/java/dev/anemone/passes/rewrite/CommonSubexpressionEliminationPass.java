// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.rewrite;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourcePart;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.edit.MergeVertices;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.VertexProperty;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.ReshapingPass;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Computes once what is computed several times: makes one vertex of those that run equal pure
 * functions on the same input, and of sources that read the same.
 *
 * <pre>
 * before:  lines-1 --> parse-1 --> count        after:  lines-1 --> parse-1 --> count
 *          lines-2 --> parse-2 --> top                              parse-1 --> top
 * </pre>
 *
 * <p>Vertices are taken producers first. When two of them become one, their consumers read the
 * same, and so one walk finds everything. A source with a single part of no known size, such as
 * Beam's impulse, is not shared: reading it twice costs nothing, and sharing it would tie branches
 * that can run beside each other into one task. Known from compilers (Cocke, 1970).
 */
public final class CommonSubexpressionEliminationPass implements ReshapingPass {

  /** What two vertices must have in common to compute the same. */
  private sealed interface Expression {}

  private record Reading(
      FunctionSpec source,
      List<SourcePart> parts,
      List<OperatorVertex> pushed,
      ExecutionProperties<VertexProperty> properties)
      implements Expression {}

  private record Computing(
      FunctionSpec operator,
      Optional<CombineSplit> combine,
      Map<Input, Long> inputs,
      ExecutionProperties<VertexProperty> properties)
      implements Expression {}

  private record Input(
      String from,
      String output,
      String input,
      FunctionSpec elementCoder,
      ExecutionProperties<EdgeProperty> properties) {}

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    Set<String> pinned = pinned(dag);
    Map<Expression, String> known = new HashMap<>();
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      Optional<Expression> expression = expression(result, vertex);
      if (expression.isPresent() && !pinned.contains(vertex.id())) {
        String same = known.putIfAbsent(expression.get(), vertex.id());
        if (same != null) {
          result = result.apply(new MergeVertices(same, vertex.id()));
        }
      }
    }
    return result;
  }

  /** Vertices of samplings, and consumers of what they measure, which must stay as they are. */
  private static Set<String> pinned(IRDag dag) {
    Set<String> pinned = new HashSet<>();
    dag.controlDependencies().stream().map(ControlDependency::to).forEach(pinned::add);
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex sampled) {
        pinned.add(sampled.original());
      }
      if (vertex instanceof MetricCollectionVertex collection) {
        pinned.add(dag.edge(collection.measured()).to());
      }
    }
    return pinned;
  }

  private static Optional<Expression> expression(IRDag dag, IRVertex vertex) {
    if (vertex instanceof SourceVertex source && worthSharing(source)) {
      return Optional.of(
          new Reading(source.source(), source.parts(), source.pushed(), source.properties()));
    }
    if (vertex instanceof OperatorVertex operator
        && operator.traits().contains(OperatorTrait.PURE)) {
      return Optional.of(
          new Computing(
              operator.operator(),
              operator.combine(),
              inputs(dag, operator.id()),
              operator.properties()));
    }
    return Optional.empty();
  }

  private static boolean worthSharing(SourceVertex source) {
    return source.parts().size() > 1 || source.sizeBytes() > 0;
  }

  private static Map<Input, Long> inputs(IRDag dag, String vertexId) {
    return dag.incoming(vertexId).stream()
        .map(CommonSubexpressionEliminationPass::input)
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  private static Input input(IREdge edge) {
    return new Input(
        edge.from(), edge.output(), edge.input(), edge.elementCoder(), edge.properties());
  }
}
