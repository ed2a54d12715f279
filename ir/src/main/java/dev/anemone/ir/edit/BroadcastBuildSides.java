// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireKind;
import static dev.anemone.ir.edit.EditPreconditions.requireNoAlias;
import static dev.anemone.ir.edit.EditPreconditions.requireNotMeasured;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.relational.exchange.Exchange;
import dev.anemone.ir.relational.exchange.ExchangeWrite;
import dev.anemone.ir.relational.exchange.HalvedQuery;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.exchange.Partitioning;
import dev.anemone.ir.relational.exchange.PiecedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs a query, which ran on partitions, where one of its inputs is made: the rows of that stay in
 * their tasks, and all rows of the others, the build sides of the query's joins, go to each of
 * these.
 *
 * <pre>
 * before:  X0 (x0 = hash) --e1 SHUFFLE--> Q (query on each partition)
 *          X1 (x1 = hash) --e2 SHUFFLE--> Q
 *
 * after:   X0 (x0 = stay) --e1 ONE_TO_ONE--> Q (query on pieces of x0)
 *          X1 (x1 = broadcast) --e2 BROADCAST into x1--> Q
 * </pre>
 *
 * <p>The query gives the same for pieces, as {@link PartitionedQuery#onPieces} says. If it has a
 * whole aggregate above, it is done {@linkplain PartitionedQuery#inHalves in halves}, and what the
 * first one gives is shuffled in the place of what stays:
 *
 * <pre>
 * after:   X0 (x0 = stay) --e1 ONE_TO_ONE--> Q' (first half, on pieces of x0)
 *          X1 (x1 = broadcast) --e2 BROADCAST into x1--> Q'
 *          Q' --ONE_TO_ONE--> X (x0 in halves = hash) --SHUFFLE--> Q (second half, on partitions)
 * </pre>
 *
 * <p>All that it reads comes over exchanges by key, or of which each partition has all rows, and
 * that nobody else reads; what stays comes from one vertex.
 *
 * @param vertexId an operator that runs a query on partitions
 * @param staying the exchange whose rows stay
 */
public record BroadcastBuildSides(String vertexId, String staying) implements DagEdit {

  /** What the exchange between halves is called, behind the name of what stays. */
  private static final String HALVES = " in halves";

  public BroadcastBuildSides {
    Objects.requireNonNull(vertexId, "vertexId");
    Objects.requireNonNull(staying, "staying");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "run " + vertexId + " where " + staying + " is made";
    OperatorVertex consumer = requireKind(dag, vertexId, OperatorVertex.class, what);
    FunctionSpec function = consumer.operator();
    require(
        function.urn().equals(RelationalFunctions.PARTITIONS_URN),
        "cannot " + what + ": it runs no query on partitions");
    requireNotSampled(dag, vertexId, what);
    PartitionedQuery query = RelationalFunctions.partitionedOf(function).orElseThrow();
    IRDag.Builder builder = dag.toBuilder();
    String reader = withReader(dag, query, builder, consumer, what);
    int ways = 0;
    for (IREdge edge : dag.incoming(vertexId)) {
      OperatorVertex producer = requireKind(dag, edge.from(), OperatorVertex.class, what);
      ExchangeWrite write = requireExchange(dag, edge, producer, query, what);
      Partitioning partitioning = write.exchange().partitioning();
      if (write.exchange().name().equals(staying)) {
        ways++;
        require(
            partitioning instanceof Partitioning.Hash,
            "cannot " + what + ": it is no exchange by key, but " + partitioning.text());
        requireSameTasks(producer, consumer, what);
        builder
            .replace(moved(producer, write, new Partitioning.Stay()))
            .replace(
                ShuffleProperties.replaced(edge, CommunicationPattern.ONE_TO_ONE)
                    .withDestination(reader, IREdge.MAIN));
      } else {
        builder
            .replace(moved(producer, write, new Partitioning.Broadcast()))
            .replace(
                ShuffleProperties.replaced(edge, CommunicationPattern.BROADCAST)
                    .withDestination(reader, write.exchange().name()));
      }
    }
    require(ways == 1, "cannot " + what + ": rows of it come from " + ways + " vertices, not one");
    return builder.build();
  }

  /** Puts the query, or its halves, into the graph; the id of the vertex that reads the pieces. */
  private String withReader(
      IRDag dag,
      PartitionedQuery query,
      IRDag.Builder builder,
      OperatorVertex consumer,
      String what) {
    Optional<PiecedQuery> pieced = query.onPieces(staying);
    if (pieced.isPresent()) {
      builder.replace(consumer.withOperator(RelationalFunctions.piecesOf(pieced.get())));
      return vertexId;
    }
    String states = staying + HALVES;
    Optional<HalvedQuery> halved = query.inHalves(staying, states);
    require(
        halved.isPresent() && !dag.outgoing(vertexId).isEmpty(),
        "cannot " + what + ": on some rows of it at a time it may give others");
    IREdge shuffle =
        dag.incoming(vertexId).stream()
            .filter(edge -> isOver(dag, edge, staying))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("cannot " + what + ": nobody sends over it"));
    OperatorVertex sender = (OperatorVertex) dag.vertex(shuffle.from());
    String first = vertexId + "-pieces";
    String exchange = vertexId + "-states";
    builder
        .replace(consumer.withOperator(RelationalFunctions.partitionsOf(halved.get().second())))
        .add(copy(consumer, first, RelationalFunctions.piecesOf(halved.get().first())))
        .add(copy(sender, exchange, states(halved.get(), states, sender)))
        .add(
            IREdge.of(
                first + "-out",
                first,
                exchange,
                CommunicationPattern.ONE_TO_ONE,
                dag.outgoing(vertexId).get(0).elementCoder()))
        .add(
            new IREdge(
                exchange + "-out",
                exchange,
                IREdge.MAIN,
                vertexId,
                IREdge.MAIN,
                shuffle.elementCoder(),
                shuffle.properties()));
    return first;
  }

  private static boolean isOver(IRDag dag, IREdge edge, String exchange) {
    return dag.vertex(edge.from()) instanceof OperatorVertex producer
        && RelationalFunctions.exchangeOf(producer.operator())
            .filter(write -> write.exchange().name().equals(exchange))
            .isPresent();
  }

  private static FunctionSpec states(HalvedQuery halved, String name, OperatorVertex sender) {
    Exchange exchange =
        new Exchange(name, halved.first().query().row(), new Partitioning.Hash(halved.keys()));
    int partitions = RelationalFunctions.exchangeOf(sender.operator()).orElseThrow().partitions();
    return RelationalFunctions.exchangeOf(new ExchangeWrite(exchange, partitions));
  }

  private static OperatorVertex copy(OperatorVertex vertex, String id, FunctionSpec operator) {
    return new OperatorVertex(
        id, vertex.name(), operator, Optional.empty(), vertex.traits(), vertex.properties());
  }

  private static OperatorVertex moved(
      OperatorVertex producer, ExchangeWrite write, Partitioning partitioning) {
    return producer.withOperator(RelationalFunctions.exchangeOf(write.undivided(partitioning)));
  }

  private static ExchangeWrite requireExchange(
      IRDag dag, IREdge edge, OperatorVertex producer, PartitionedQuery query, String what) {
    require(
        edge.pattern() == CommunicationPattern.SHUFFLE,
        "cannot " + what + ": edge " + edge.id() + " is " + edge.pattern() + ", not SHUFFLE");
    requireNotMeasured(dag, edge, what);
    requireNoAlias(dag, edge, what);
    requireNotSampled(dag, producer.id(), what);
    ExchangeWrite write =
        RelationalFunctions.exchangeOf(producer.operator())
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "cannot " + what + ": " + producer.id() + " is no exchange"));
    String name = write.exchange().name();
    Partitioning partitioning = write.exchange().partitioning();
    require(
        query.query().inputs().containsKey(name),
        "cannot " + what + ": the query does not read " + name);
    require(
        partitioning instanceof Partitioning.Hash || query.replicated().contains(name),
        "cannot " + what + ": the rows of " + name + " are there by " + partitioning.text());
    require(
        dag.outgoing(producer.id()).size() == 1,
        "cannot " + what + ": somebody else reads " + producer.id() + ", too");
    return write;
  }

  private static void requireSameTasks(
      OperatorVertex producer, OperatorVertex consumer, String what) {
    require(
        producer.property(Parallelism.class).equals(consumer.property(Parallelism.class)),
        "cannot "
            + what
            + ": "
            + producer.id()
            + " and "
            + consumer.id()
            + " were given different numbers of tasks");
  }
}
