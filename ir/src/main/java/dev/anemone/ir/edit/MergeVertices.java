// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireNoDeadlock;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.EdgeProperty;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes one vertex of two that compute the same: common subexpression elimination.
 *
 * <pre>
 * before:  X --e1--> A (f) --e3--> C        after:  X --e1--> A (f) --e3--> C
 *          X --e2--> B (f) --e4--> D                          A     --e4--> D
 * </pre>
 *
 * <p>Two operators compute the same when both have the trait {@link OperatorTrait#PURE}, run equal
 * functions and read the same: their in-edges are equal but for id and end. Two sources do when
 * they read equal parts and push the same operators. Either way the vertices must have equal
 * properties.
 *
 * @param keptId the vertex that stays
 * @param removedId the vertex that goes; its consumers read the kept one instead
 */
public record MergeVertices(String keptId, String removedId) implements DagEdit {

  public MergeVertices {
    Objects.requireNonNull(keptId, "keptId");
    Objects.requireNonNull(removedId, "removedId");
    require(!keptId.equals(removedId), "cannot merge vertex " + keptId + " with itself");
  }

  /** An in-edge without what may differ. */
  private record Read(
      String from,
      String output,
      String input,
      FunctionSpec elementCoder,
      ExecutionProperties<EdgeProperty> properties) {}

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "merge vertex " + removedId + " into " + keptId;
    IRVertex kept = dag.vertex(keptId);
    IRVertex removed = dag.vertex(removedId);
    requireSameFunction(kept, removed, what);
    require(
        kept.properties().equals(removed.properties()),
        "cannot "
            + what
            + ": their properties differ: "
            + kept.properties()
            + " and "
            + removed.properties());
    require(
        reads(dag, keptId).equals(reads(dag, removedId)),
        "cannot " + what + ": they do not read the same");
    requireNotSampled(dag, removedId, what);
    require(
        dag.controlDependencies().stream().noneMatch(d -> d.to().equals(removedId)),
        "cannot " + what + ": it waits for a message");

    IRDag.Builder builder = dag.toBuilder();
    dag.incoming(removedId).forEach(edge -> builder.removeEdge(edge.id()));
    dag.outgoing(removedId)
        .forEach(edge -> builder.replace(edge.withSource(keptId, edge.output())));
    return requireNoDeadlock(builder.removeVertex(removedId).build(), what);
  }

  private static void requireSameFunction(IRVertex kept, IRVertex removed, String what) {
    if (kept instanceof OperatorVertex a && removed instanceof OperatorVertex b) {
      require(
          a.traits().contains(OperatorTrait.PURE) && b.traits().contains(OperatorTrait.PURE),
          "cannot " + what + ": both need the trait PURE");
      require(
          a.operator().equals(b.operator()) && a.combine().equals(b.combine()),
          "cannot " + what + ": they run different functions");
    } else if (kept instanceof SourceVertex a && removed instanceof SourceVertex b) {
      require(
          a.source().equals(b.source())
              && a.parts().equals(b.parts())
              && a.pushed().equals(b.pushed()),
          "cannot " + what + ": they read different sources, parts, or pushed operators");
    } else {
      throw new IllegalArgumentException(
          "cannot "
              + what
              + ": only two operators or two sources can be merged, not a "
              + kept.getClass().getSimpleName()
              + " and a "
              + removed.getClass().getSimpleName());
    }
  }

  private static Map<Read, Long> reads(IRDag dag, String vertexId) {
    return dag.incoming(vertexId).stream()
        .map(e -> new Read(e.from(), e.output(), e.input(), e.elementCoder(), e.properties()))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }
}
