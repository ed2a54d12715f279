// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireKind;
import static dev.anemone.ir.edit.EditPreconditions.requireNoAlias;
import static dev.anemone.ir.edit.EditPreconditions.requireNotMeasured;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.function.FunctionSpec;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.relational.exchange.PartitionedQuery;
import dev.anemone.ir.relational.json.RelationalFunctions;
import java.util.Objects;
import java.util.Optional;

/**
 * Makes shuffles one-to-one that lead from single tasks to a query on partitions in a single task,
 * which then runs once on all that comes.
 *
 * <pre>
 * before:  A --e1 SHUFFLE by partition--> Q (query on each partition)
 *          B --e2 SHUFFLE by partition--> Q
 *
 * after:   A --e1 ONE_TO_ONE--> Q (query on all partitions together)
 *          B --e2 ONE_TO_ONE--> Q
 * </pre>
 *
 * <p>What a query gives for all partitions together is what it gives for each of them, as {@link
 * PartitionedQuery} says. Of no other function that reads a shuffle is that known.
 *
 * @param vertexId an operator that runs a query on partitions; it and all whose shuffles it reads
 *     have the {@link Parallelism} of one task
 */
public record EliminateExchange(String vertexId) implements DagEdit {

  public EliminateExchange {
    Objects.requireNonNull(vertexId, "vertexId");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "eliminate the exchange before " + vertexId;
    OperatorVertex consumer = requireKind(dag, vertexId, OperatorVertex.class, what);
    FunctionSpec function = consumer.operator();
    require(
        function.urn().equals(RelationalFunctions.PARTITIONS_URN),
        "cannot " + what + ": it runs no query on partitions");
    requireOneTask(consumer, what);
    requireNotSampled(dag, vertexId, what);
    PartitionedQuery query = RelationalFunctions.partitionedOf(function).orElseThrow();
    IRDag.Builder builder =
        dag.toBuilder().replace(consumer.withOperator(RelationalFunctions.togetherOf(query)));
    for (IREdge edge : dag.incoming(vertexId)) {
      require(
          edge.pattern() == CommunicationPattern.SHUFFLE,
          "cannot " + what + ": edge " + edge.id() + " is " + edge.pattern() + ", not SHUFFLE");
      requireNotMeasured(dag, edge, what);
      requireNoAlias(dag, edge, what);
      IRVertex producer = dag.vertex(edge.from());
      require(
          !(producer instanceof RelayVertex),
          "cannot " + what + ": relay " + producer.id() + " hands on what comes over it");
      requireOneTask(producer, what);
      builder.replace(ShuffleProperties.replaced(edge, CommunicationPattern.ONE_TO_ONE));
    }
    return builder.build();
  }

  private static void requireOneTask(IRVertex vertex, String what) {
    Optional<Parallelism> tasks = vertex.property(Parallelism.class);
    require(
        tasks.isPresent() && tasks.get().tasks() == 1,
        "cannot "
            + what
            + ": vertex "
            + vertex.id()
            + " has "
            + tasks.map(number -> number.tasks() + " tasks").orElse("no number of tasks yet")
            + " and must have one");
  }
}
