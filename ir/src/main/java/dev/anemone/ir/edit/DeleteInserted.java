// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireNotMeasured;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.RelayVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.Decompression;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.PartitionSet;
import dev.anemone.ir.property.Partitioner;
import java.util.List;
import java.util.Objects;

/**
 * Takes out what an {@link InsertRelay}, {@link InsertCombiner}, {@link InsertRecombiner} or {@link
 * InsertSampling} put in.
 *
 * <pre>
 * before:  A --e SHUFFLE--> R --e-R SHUFFLE--> C
 * after:   A --e SHUFFLE--> C
 * </pre>
 *
 * <p>Any vertex of one insertion stands for all of it: all combiners of a consumer go together, and
 * so do all collections, the aggregation and the clones of a sampling, except clones that another
 * message needs. A recombiner goes with the edges that end or start at it, as long as it reads
 * nothing. Deleting right after inserting gives the graph from before. Where properties were set in
 * between, an edge keeps those that concern its producer and takes over those that concern its
 * consumer, such as its decoder. A relay that goes before a combiner that was put behind it leaves
 * the shuffle under the id of the edge from the relay.
 *
 * @param vertexId a relay, a combiner, a recombiner, a metric collection, a metric aggregation, or
 *     a clone that serves only one message
 */
public record DeleteInserted(String vertexId) implements DagEdit {

  /** What the consumer's side of an edge decides. */
  private static final List<Class<? extends EdgeProperty>> OF_CONSUMER =
      List.of(
          CommunicationPattern.class,
          Partitioner.class,
          PartitionSet.class,
          KeyExtractor.class,
          KeyEncoder.class,
          Order.class,
          Decoder.class,
          Decompression.class);

  public DeleteInserted {
    Objects.requireNonNull(vertexId, "vertexId");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    IRVertex vertex = dag.vertex(vertexId);
    if (vertex instanceof RelayVertex relay) {
      return deleteRelay(dag, relay);
    }
    if (vertex instanceof CombinerVertex combiner) {
      return ShuffleAliases.isRecombiner(dag, vertexId)
          ? deleteRecombiner(dag, combiner)
          : deleteCombiners(dag, combiner);
    }
    if (SamplingRemoval.belongsToSampling(vertex)) {
      return new SamplingRemoval(dag).without(vertex);
    }
    require(
        !(vertex instanceof SourceVertex || vertex instanceof OperatorVertex),
        "cannot delete vertex " + vertexId + ": no pass inserted it, it belongs to the program");
    throw new IllegalStateException("no way to delete a " + vertex.getClass().getSimpleName());
  }

  private static IRDag deleteRelay(IRDag dag, RelayVertex relay) {
    String what = "delete relay " + relay.id();
    requireNotSampled(dag, relay.id(), what);
    List<IREdge> outgoing = dag.outgoing(relay.id());
    IRDag.Builder builder = dag.toBuilder();
    for (IREdge in : dag.incoming(relay.id())) {
      List<IREdge> next = outgoing.stream().filter(out -> out.output().equals(in.input())).toList();
      require(
          next.size() == 1,
          "cannot " + what + ": edge " + in.id() + " goes on as " + next.size() + " edges");
      IREdge out = next.get(0);
      requireNotSampled(dag, out.to(), what);
      if (out.pattern() != CommunicationPattern.SHUFFLE) {
        requireNotMeasured(dag, in, what);
      }
      builder.removeEdge(out.id());
      builder.replace(
          in.withDestination(out.to(), out.input())
              .withProperties(joined(in.properties(), out.properties())));
    }
    return builder.removeVertex(relay.id()).build();
  }

  private static ExecutionProperties<EdgeProperty> joined(
      ExecutionProperties<EdgeProperty> ofProducer, ExecutionProperties<EdgeProperty> ofConsumer) {
    ExecutionProperties<EdgeProperty> result = ofProducer;
    for (Class<? extends EdgeProperty> type : OF_CONSUMER) {
      EdgeProperty value = ofConsumer.asMap().get(type);
      result = value == null ? result.without(type) : result.with(value);
    }
    return result;
  }

  private static IRDag deleteRecombiner(IRDag dag, CombinerVertex recombiner) {
    String what = "delete recombiner " + recombiner.id();
    IRDag.Builder builder = dag.toBuilder();
    for (IREdge out : dag.outgoing(recombiner.id())) {
      requireNotSampled(dag, out.to(), what);
      builder.removeEdge(out.id());
    }
    for (IREdge alias : dag.incoming(recombiner.id())) {
      int partitions = alias.property(PartitionSet.class).map(PartitionSet::partitions).orElse(0);
      require(
          partitions == 0,
          "cannot "
              + what
              + ": it reads partitions by edge "
              + alias.id()
              + ", which must go back to the shuffle that they are from first");
      builder.removeEdge(alias.id());
    }
    return builder.removeVertex(recombiner.id()).build();
  }

  private static IRDag deleteCombiners(IRDag dag, CombinerVertex one) {
    String what = "delete combiner " + one.id();
    List<IREdge> written = dag.outgoing(one.id());
    for (IREdge alias : written) {
      require(
          !ShuffleAliases.isAlias(dag, alias),
          "cannot " + what + ": recombiner " + alias.to() + " reads it; delete that first");
    }
    String consumerId = onlyEdge(written, "out", what).to();
    require(
        dag.vertex(consumerId) instanceof OperatorVertex,
        "cannot " + what + ": it feeds " + consumerId + ", which must be deleted first");
    OperatorVertex consumer = (OperatorVertex) dag.vertex(consumerId);
    require(consumer.isMerging(), "cannot " + what + ": " + consumerId + " does not merge");
    requireNotSampled(dag, consumerId, what);

    IRDag.Builder builder =
        dag.toBuilder().replace(consumer.withOperator(consumer.combine().orElseThrow().whole()));
    for (IREdge shuffle : dag.incoming(consumerId)) {
      if (!shuffle.input().equals(IREdge.MAIN)) {
        continue;
      }
      require(
          dag.vertex(shuffle.from()) instanceof CombinerVertex,
          "cannot "
              + what
              + ": "
              + consumerId
              + " also merges what "
              + shuffle.from()
              + " sends, which must be deleted first");
      requireNotSampled(dag, shuffle.from(), what);
      onlyEdge(dag.outgoing(shuffle.from()), "out", what);
      IREdge values = onlyEdge(dag.incoming(shuffle.from()), "in", what);
      builder.removeEdge(values.id()).removeVertex(shuffle.from());
      builder.replace(codingValues(shuffle, values).withSource(values.from(), values.output()));
    }
    return builder.build();
  }

  private static IREdge onlyEdge(List<IREdge> edges, String direction, String what) {
    require(
        edges.size() == 1,
        "cannot "
            + what
            + ": a combiner has one "
            + direction
            + "-edge, but there are "
            + edges.size());
    return edges.get(0);
  }

  private static IREdge codingValues(IREdge shuffle, IREdge values) {
    IREdge edge = shuffle.withElementCoder(values.elementCoder());
    if (shuffle.property(Encoder.class).isPresent()) {
      edge = edge.with(values.property(Encoder.class).orElse(new Encoder(values.elementCoder())));
    }
    if (shuffle.property(Decoder.class).isPresent()) {
      edge = edge.with(values.property(Decoder.class).orElse(new Decoder(values.elementCoder())));
    }
    return edge;
  }
}
