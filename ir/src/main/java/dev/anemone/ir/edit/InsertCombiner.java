// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.edit;

import static dev.anemone.ir.edit.EditPreconditions.require;
import static dev.anemone.ir.edit.EditPreconditions.requireKind;
import static dev.anemone.ir.edit.EditPreconditions.requireNotMeasured;
import static dev.anemone.ir.edit.EditPreconditions.requireNotSampled;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.ExecutionProperties;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.function.CombineSplit;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Decoder;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.SplitAssignment;
import java.util.List;
import java.util.Objects;

/**
 * Lifts the partial half of an aggregation before its shuffles, so that each producer task sends
 * accumulators instead of values.
 *
 * <pre>
 * before:  A --e1 SHUFFLE--> V (whole)
 *          B --e2 SHUFFLE--> V
 *
 * after:   A --e1-combine ONE_TO_ONE--> V-combiner-0 --e1 SHUFFLE--> V (merging)
 *          B --e2-combine ONE_TO_ONE--> V-combiner-1 --e2 SHUFFLE--> V
 * </pre>
 *
 * <p>All shuffles into the main input get a combiner together, because the merging half takes
 * accumulators only. A shuffle keeps its id and properties, but codes accumulators; an {@link
 * Encoder} or {@link Decoder} that it has moves to the new edge. A combiner gets the properties of
 * its producer, so that the two run in one stage.
 *
 * @param vertexId a vertex with a {@link CombineSplit} that still runs {@link CombineSplit#whole}
 * @param pass the pass that inserts the combiners
 */
public record InsertCombiner(String vertexId, String pass) implements DagEdit {

  public InsertCombiner {
    Objects.requireNonNull(vertexId, "vertexId");
    Objects.requireNonNull(pass, "pass");
  }

  @Override
  public IRDag applyTo(IRDag dag) {
    String what = "insert combiners before " + vertexId;
    OperatorVertex consumer = requireKind(dag, vertexId, OperatorVertex.class, what);
    CombineSplit split =
        consumer
            .combine()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "cannot "
                            + what
                            + ": its function cannot be split into a partial and a"
                            + " merging half"));
    require(!consumer.isMerging(), "cannot " + what + ": it already merges partial results");
    require(
        consumer.operator().equals(split.whole()),
        "cannot " + what + ": it does not run the whole function of its split");
    requireNotSampled(dag, vertexId, what);
    List<IREdge> shuffles =
        dag.incoming(vertexId).stream().filter(e -> e.input().equals(IREdge.MAIN)).toList();
    require(!shuffles.isEmpty(), "cannot " + what + ": nothing leads to its main input");
    for (IREdge edge : shuffles) {
      require(
          edge.pattern() == CommunicationPattern.SHUFFLE,
          "cannot "
              + what
              + ": edge "
              + edge.id()
              + " into its main input is "
              + edge.pattern()
              + ", not SHUFFLE, and would bring it values where it expects accumulators");
      requireNotMeasured(dag, edge, what);
    }

    IRDag.Builder builder = dag.toBuilder().replace(consumer.withOperator(split.merging()));
    int count = 0;
    for (IREdge edge : shuffles) {
      CombinerVertex combiner =
          new CombinerVertex(
              vertexId + "-combiner-" + count++,
              "combiner of " + consumer.name(),
              split.partial(),
              pass,
              dag.vertex(edge.from()).properties().without(SplitAssignment.class));
      builder.add(combiner);
      builder.add(
          new IREdge(
              edge.id() + "-combine",
              edge.from(),
              edge.output(),
              combiner.id(),
              IREdge.MAIN,
              edge.elementCoder(),
              valueProperties(edge)));
      builder.replace(codingAccumulators(edge, split).withSource(combiner.id(), IREdge.MAIN));
    }
    return builder.build();
  }

  private static ExecutionProperties<EdgeProperty> valueProperties(IREdge shuffle) {
    ExecutionProperties<EdgeProperty> properties =
        ExecutionProperties.of(CommunicationPattern.ONE_TO_ONE);
    if (shuffle.property(Encoder.class).isPresent()) {
      properties = properties.with(shuffle.property(Encoder.class).get());
    }
    if (shuffle.property(Decoder.class).isPresent()) {
      properties = properties.with(shuffle.property(Decoder.class).get());
    }
    return properties;
  }

  private static IREdge codingAccumulators(IREdge shuffle, CombineSplit split) {
    IREdge edge = shuffle.withElementCoder(split.accumulatorCoder());
    if (shuffle.property(Encoder.class).isPresent()) {
      edge = edge.with(new Encoder(split.accumulatorCoder()));
    }
    if (shuffle.property(Decoder.class).isPresent()) {
      edge = edge.with(new Decoder(split.accumulatorCoder()));
    }
    return edge;
  }
}
