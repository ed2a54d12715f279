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
import dev.anemone.passes.PassOption;
import dev.anemone.passes.ReshapingPass;
import dev.anemone.passes.graph.OneToOneGroups;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
 * same, and so one walk finds everything. Known from compilers (Cocke, 1970).
 *
 * <p>Sharing a source ties into one task what can run side by side, so it is done only where it
 * pays: not for fewer than {@link #MIN_BYTES_SHARED}, nor for a single part of no known size, such
 * as Beam's impulse. Nor where what comes of one read goes, through a shuffle or a broadcast, into
 * the stage of the other one: that stage would have to wait for itself, and so what was read would
 * be written out and read again. Operators that the storage side can run run in the readers of
 * their source only, where they follow it one after the other, so that two sources become one if
 * all of these are equal, too.
 */
public final class CommonSubexpressionEliminationPass implements ReshapingPass {

  public static final PassOption<Long> MIN_BYTES_SHARED =
      PassOption.bytes(
          "minBytesShared", 1L << 20, "bytes of a source from which two equal reads become one");

  /** Stands for the vertex before the operator of a reader. */
  private static final String SAME = "";

  /** What two vertices must have in common to compute the same. */
  private sealed interface Expression {}

  private record Reading(
      FunctionSpec source,
      List<SourcePart> parts,
      List<OperatorVertex> pushed,
      ExecutionProperties<VertexProperty> properties,
      List<Computing> readersOperators)
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
  public Set<PassOption<?>> options() {
    return Set.of(MIN_BYTES_SHARED);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    Set<String> pinned = pinned(dag);
    Map<Expression, String> known = new HashMap<>();
    IRDag result = dag;
    for (IRVertex vertex : dag.vertices()) {
      if (pinned.contains(vertex.id())) {
        continue;
      }
      Optional<? extends Expression> expression = expression(result, vertex, pinned, context);
      if (expression.isPresent()) {
        String same = known.putIfAbsent(expression.get(), vertex.id());
        if (same != null && canRunTogether(result, same, vertex.id())) {
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

  /** Whether neither stage needs what the other one gives. */
  private static boolean canRunTogether(IRDag dag, String kept, String removed) {
    OneToOneGroups groups = OneToOneGroups.of(dag);
    List<IRVertex> first = groups.of(dag.vertex(kept));
    List<IRVertex> second = groups.of(dag.vertex(removed));
    return first == second
        || (!leads(dag, groups, first, second) && !leads(dag, groups, second, first));
  }

  /** Whether there is a way from one group of vertices to another one. */
  private static boolean leads(
      IRDag dag, OneToOneGroups groups, List<IRVertex> from, List<IRVertex> to) {
    Set<String> seen = new HashSet<>();
    Deque<IRVertex> open = new ArrayDeque<>(from);
    while (!open.isEmpty()) {
      for (IREdge edge : dag.outgoing(open.remove().id())) {
        IRVertex next = dag.vertex(edge.to());
        if (groups.of(next) == to) {
          return true;
        }
        if (seen.add(next.id())) {
          open.addAll(groups.of(next));
        }
      }
    }
    return false;
  }

  private static Optional<? extends Expression> expression(
      IRDag dag, IRVertex vertex, Set<String> pinned, PassContext context) {
    if (vertex instanceof SourceVertex source && worthSharing(source, context)) {
      return readersOperators(dag, source.id(), pinned)
          .map(
              operators ->
                  new Reading(
                      source.source(),
                      source.parts(),
                      source.pushed(),
                      source.properties(),
                      operators));
    }
    if (vertex instanceof OperatorVertex operator
        && operator.traits().contains(OperatorTrait.PURE)) {
      return Optional.of(computing(operator, inputs(dag, operator.id())));
    }
    return Optional.empty();
  }

  private static Computing computing(OperatorVertex operator, Map<Input, Long> inputs) {
    return new Computing(operator.operator(), operator.combine(), inputs, operator.properties());
  }

  /**
   * The operators behind a source that its readers run, in order; empty when they cannot be shared
   * with another source: they must become one with its operators, all of them.
   */
  private static Optional<List<Computing>> readersOperators(
      IRDag dag, String sourceId, Set<String> pinned) {
    List<Computing> operators = new ArrayList<>();
    String last = sourceId;
    while (dag.outgoing(last).stream().anyMatch(edge -> isPushable(dag.vertex(edge.to())))) {
      if (dag.outgoing(last).size() > 1) {
        return Optional.empty();
      }
      IREdge edge = dag.outgoing(last).get(0);
      OperatorVertex next = (OperatorVertex) dag.vertex(edge.to());
      if (dag.incoming(next.id()).size() > 1
          || !next.traits().contains(OperatorTrait.PURE)
          || pinned.contains(next.id())) {
        return Optional.empty();
      }
      operators.add(computing(next, Map.of(input(edge.withSource(SAME, edge.output())), 1L)));
      last = next.id();
    }
    return Optional.of(operators);
  }

  private static boolean isPushable(IRVertex vertex) {
    return vertex instanceof OperatorVertex operator
        && operator.traits().contains(OperatorTrait.PUSHABLE);
  }

  private static boolean worthSharing(SourceVertex source, PassContext context) {
    long bytes = source.sizeBytes();
    return bytes == 0 ? source.parts().size() > 1 : bytes >= context.get(MIN_BYTES_SHARED);
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
