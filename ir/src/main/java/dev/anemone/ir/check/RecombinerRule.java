// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.CombinerVertex;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.Compression;
import dev.anemone.ir.property.EdgeProperty;
import dev.anemone.ir.property.Encoder;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import dev.anemone.ir.property.Partitioner;
import java.util.List;
import java.util.Optional;

/**
 * A combiner that reads a shuffle is a recombiner: it reads nothing but accumulators that come by
 * shuffles by key, and each of them is the alias of a shuffle into the vertex that it feeds.
 * Producers write for both at once, so whatever decides how they write is the same for both.
 */
public final class RecombinerRule implements CheckRule {

  /** What producers decide of a shuffle. */
  private static final List<Class<? extends EdgeProperty>> OF_PRODUCER =
      List.of(
          Partitioner.class,
          KeyExtractor.class,
          KeyEncoder.class,
          Order.class,
          Encoder.class,
          Compression.class);

  @Override
  public String name() {
    return "recombiner";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      if (ShuffleAliases.isRecombiner(dag, vertex.id())) {
        dag.incoming(vertex.id()).forEach(edge -> checkInput(dag, edge, violations));
      }
    }
    return violations.list();
  }

  private static void checkInput(IRDag dag, IREdge edge, Violations violations) {
    if (edge.pattern() != CommunicationPattern.SHUFFLE
        || !edge.property(Order.class).equals(Optional.of(Order.BY_KEY))) {
      violations.add(
          edge, "leads to a recombiner, but is no shuffle BY_KEY; it combines what shuffles bring");
      return;
    }
    for (IREdge first : Relays.first(dag, edge)) {
      if (!(dag.vertex(first.from()) instanceof CombinerVertex)) {
        violations.add(
            first,
            "brings values of "
                + first.from()
                + " to recombiner "
                + edge.to()
                + ", which combines accumulators");
      }
    }
    Optional<IREdge> original = ShuffleAliases.original(dag, edge);
    if (original.isEmpty()) {
      violations.add(
          edge,
          "leads to a recombiner, but no shuffle brings output "
              + edge.output()
              + " of "
              + edge.from()
              + " to the vertex that the recombiner feeds");
      return;
    }
    if (!edge.elementCoder().equals(original.get().elementCoder())) {
      violations.add(edge, differs("element coder", original.get()));
    }
    for (Class<? extends EdgeProperty> type : OF_PRODUCER) {
      Optional<? extends EdgeProperty> own = edge.property(type);
      Optional<? extends EdgeProperty> written = original.get().property(type);
      if (own.isPresent() && written.isPresent() && !own.equals(written)) {
        violations.add(edge, differs(type.getSimpleName(), original.get()));
      }
    }
  }

  private static String differs(String what, IREdge original) {
    return "reads what is written for edge "
        + original.id()
        + ", but has another "
        + what
        + "; it is written once";
  }
}
