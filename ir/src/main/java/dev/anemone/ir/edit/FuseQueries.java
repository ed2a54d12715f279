// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireKind;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyFilters;
import dev.anemone.ir.property.NativeMemory;
import dev.anemone.ir.property.VertexProperty;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes one query of two in the same task, of which one reads what the other gives: of two that run
 * once, or of two that run on pieces.
 *
 * <pre>
 * before:  A --e1--> P (query once) --e2--> X (exchange x2) --e3--> Q (query of x2, x3, once)
 *          B --e4-------------------------------------------------> Q
 *
 * after:   A --e1--> Q (query of that of P, and of x3, once)
 *          B --e4--> Q
 * </pre>
 *
 * <p>All edges are ONE_TO_ONE, but for those that bring other inputs beside pieces, and nobody else
 * reads P or X. All rows of the exchange come over X.
 *
 * @param exchangeId the vertex of the exchange; it goes, and so does the query before it
 */
public record FuseQueries(String exchangeId) implements DagEdit {

  public FuseQueries {
    Objects.requireNonNull(exchangeId, "exchangeId");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "fuse the queries around " + exchangeId;
    OperatorVertex between = requireKind(dag, exchangeId, OperatorVertex.class, what);
    Exchange exchange =
        RelationalFunctions.exchangeOf(between.operator())
            .map(ExchangeWrite::exchange)
            .orElseThrow(
                () -> new IllegalArgumentException("cannot " + what + ": it is no exchange"));
    OperatorVertex producer = query(dag, only(dag.incoming(exchangeId), what).from(), what);
    only(dag.outgoing(producer.id()), what);
    OperatorVertex consumer = query(dag, only(dag.outgoing(exchangeId), what).to(), what);
    List<IREdge> others =
        dag.incoming(consumer.id()).stream()
            .filter(edge -> !edge.from().equals(exchangeId))
            .toList();
    for (IREdge other : others) {
      require(
          !(dag.vertex(other.from()) instanceof OperatorVertex vertex
              && RelationalFunctions.exchangeOf(vertex.operator())
                  .filter(write -> write.exchange().name().equals(exchange.name()))
                  .isPresent()),
          "cannot "
              + what
              + ": rows of "
              + exchange.name()
              + " come from "
              + other.from()
              + ", too");
    }
    for (String id : List.of(producer.id(), exchangeId, consumer.id())) {
      requireNotSampled(dag, id, what);
      require(
          dag.controlDependencies().stream().noneMatch(each -> each.to().equals(id)),
          "cannot " + what + ": " + id + " waits for a message");
    }
    requireNoFilterBy(dag, producer.id(), what);
    Optional<FunctionSpec> fused =
        RelationalFunctions.fused(consumer.operator(), exchange.name(), producer.operator());
    require(
        fused.isPresent(),
        "cannot "
            + what
            + ": they read inputs of one name, run in different ways, or are too large together");
    IRDag.Builder builder =
        dag.toBuilder()
            .replace(
                consumer
                    .withOperator(fused.get())
                    .withProperties(withMemoryOf(producer, consumer.properties())));
    for (IREdge edge : dag.incoming(producer.id())) {
      builder.replace(edge.withDestination(consumer.id(), edge.input()));
    }
    builder.removeEdge(dag.outgoing(producer.id()).get(0).id());
    builder.removeEdge(dag.outgoing(exchangeId).get(0).id());
    return builder.removeVertex(exchangeId).removeVertex(producer.id()).build();
  }

  private static IREdge only(List<IREdge> edges, String what) {
    require(
        edges.size() == 1 && edges.get(0).pattern() == CommunicationPattern.ONE_TO_ONE,
        "cannot " + what + ": not one edge ONE_TO_ONE, but " + edges);
    return edges.get(0);
  }

  private static OperatorVertex query(IRDag dag, String id, String what) {
    OperatorVertex vertex = requireKind(dag, id, OperatorVertex.class, what);
    String urn = vertex.operator().urn();
    require(
        urn.equals(RelationalFunctions.TOGETHER_URN) || urn.equals(RelationalFunctions.PIECES_URN),
        "cannot " + what + ": " + id + " runs no query once, nor on pieces");
    return vertex;
  }

  private static void requireNoFilterBy(IRDag dag, String id, String what) {
    for (IRVertex vertex : dag.vertices()) {
      require(
          vertex.property(KeyFilters.class).stream()
              .flatMap(keys -> keys.filters().stream())
              .noneMatch(filter -> filter.reader().equals(id)),
          "cannot " + what + ": keys that " + id + " has filter " + vertex.id());
    }
  }

  /** The engine brings its library once, whichever of the two has counted it. */
  private static ExecutionProperties<VertexProperty> withMemoryOf(
      OperatorVertex producer, ExecutionProperties<VertexProperty> properties) {
    Optional<NativeMemory> most =
        Stream.of(producer.properties(), properties)
            .flatMap(each -> each.get(NativeMemory.class).stream())
            .max(Comparator.comparingLong(NativeMemory::bytes));
    return most.isPresent() ? properties.with(most.get()) : properties;
  }
}
