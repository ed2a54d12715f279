// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireKind;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.function.OperatorTrait;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Moves the first operator after a source into the source, where the storage side runs it. After
 * Rachuri et al., <i>Optimizing Near-Data Processing for Spark</i>.
 *
 * <pre>
 * before:  S --e1 ONE_TO_ONE--> A --e2--> B
 * after:   S (pushed: A) --e2--> B
 * </pre>
 *
 * @param sourceId a source that only the operator reads
 * @param operatorId an operator with the trait {@link OperatorTrait#PUSHABLE} that reads only the
 *     source and has only the main output
 */
public record CutIntoSource(String sourceId, String operatorId) implements DagEdit {

  public CutIntoSource {
    Objects.requireNonNull(sourceId, "sourceId");
    Objects.requireNonNull(operatorId, "operatorId");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "cut operator " + operatorId + " into source " + sourceId;
    SourceVertex source = requireKind(dag, sourceId, SourceVertex.class, what);
    OperatorVertex operator = requireKind(dag, operatorId, OperatorVertex.class, what);
    require(
        operator.traits().contains(OperatorTrait.PUSHABLE),
        "cannot " + what + ": the operator lacks the trait PUSHABLE");
    List<IREdge> incoming = dag.incoming(operatorId);
    require(
        incoming.size() == 1 && incoming.get(0).from().equals(sourceId),
        "cannot "
            + what
            + ": the operator must read the source and nothing else, but its in-edges"
            + " are "
            + ids(incoming));
    IREdge edge = incoming.get(0);
    require(
        edge.pattern() == CommunicationPattern.ONE_TO_ONE
            && edge.output().equals(IREdge.MAIN)
            && edge.input().equals(IREdge.MAIN),
        "cannot "
            + what
            + ": edge "
            + edge.id()
            + " must be ONE_TO_ONE from main output to main"
            + " input, but is "
            + edge.pattern()
            + " from "
            + edge.output()
            + " to "
            + edge.input());
    require(
        dag.outgoing(sourceId).size() == 1,
        "cannot " + what + ": others read the source too: " + ids(dag.outgoing(sourceId)));
    requireNotSampled(dag, sourceId, what);
    requireNotSampled(dag, operatorId, what);

    List<OperatorVertex> pushed = new ArrayList<>(source.pushed());
    pushed.add(operator);
    IRDag.Builder builder =
        dag.toBuilder().replace(source.withPushed(pushed)).removeEdge(edge.id());
    for (IREdge out : dag.outgoing(operatorId)) {
      require(
          out.output().equals(IREdge.MAIN),
          "cannot "
              + what
              + ": edge "
              + out.id()
              + " reads output "
              + out.output()
              + ", and a source has only the main output");
      builder.replace(out.withSource(sourceId, IREdge.MAIN));
    }
    return builder.removeVertex(operatorId).build();
  }

  private static List<String> ids(List<IREdge> edges) {
    return edges.stream().map(IREdge::id).toList();
  }
}
