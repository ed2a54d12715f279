// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.OperatorVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.graph.RelayChain;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether a partition of a consumer can be divided among several of its tasks when it turns out to
 * be too large, and how.
 *
 * @param recombiner the vertex that needs a recombiner for it; empty when none does
 * @param note completes "a hot key ..."
 */
record DivisionForecast(String recombiner, String note) {

  /** That of a consumer whose shuffles are measured. */
  static DivisionForecast of(IRDag dag, KeyedConsumer consumer) {
    IREdge first = consumer.shuffles().get(0);
    boolean oneInput =
        consumer.shuffles().stream()
            .allMatch(edge -> edge.to().equals(first.to()) && edge.input().equals(first.input()));
    if (!oneInput) {
      return none("its stage reads shuffles into several inputs by the same ranges");
    }
    if (dag.vertex(first.to()) instanceof OperatorVertex operator && operator.isMerging()) {
      return ofAggregation(dag, consumer, operator);
    }
    boolean divisible =
        consumer.shuffles().stream()
            .anyMatch(
                edge ->
                    edge.property(Divisibility.class).orElse(Divisibility.WHOLE)
                        == Divisibility.DIVISIBLE);
    if (!divisible) {
      return none("all values of a key must come together");
    }
    OneToOneGroups groups = OneToOneGroups.of(dag);
    Set<List<String>> blocks = new HashSet<>();
    for (IREdge written : consumer.written(dag)) {
      String stage = groups.of(dag.vertex(written.from())).get(0).id();
      if (!blocks.add(List.of(stage, written.to()))) {
        return none("the sides of the join are written by the same tasks, into one block");
      }
    }
    return new DivisionForecast(
        "", "can be divided: each task joins a share of one side with all of the other");
  }

  private static DivisionForecast none(String reason) {
    return new DivisionForecast("", "cannot be divided: " + reason);
  }

  private static DivisionForecast ofAggregation(
      IRDag dag, KeyedConsumer consumer, OperatorVertex merging) {
    Set<List<String>> outputs = new HashSet<>();
    int producers = 0;
    for (IREdge edge : dag.incoming(merging.id())) {
      if (!edge.input().equals(IREdge.MAIN)) {
        continue;
      }
      if (!consumer.shuffles().contains(edge)
          || !outputs.add(List.of(edge.from(), edge.output()))) {
        return none("accumulators come to it over other edges too");
      }
      if (RelayChain.startsAtRelay(dag, edge)
          && (dag.incoming(edge.from()).size() > 1 || dag.outgoing(edge.from()).size() > 1)) {
        return none("relay " + edge.from() + " writes several shuffles into one block");
      }
      String writer = RelayChain.first(dag, edge).from();
      producers = Math.max(producers, KeyedConsumer.tasks(dag.vertex(writer)));
    }
    if (outputs.isEmpty()) {
      return none("all values of a key must come together");
    }
    if (producers == 1) {
      return none("one task alone sends all accumulators");
    }
    boolean sampled =
        dag.vertices().stream()
            .anyMatch(
                v -> v instanceof SampledVertex clone && clone.original().equals(merging.id()));
    return sampled
        ? none("its consumer is sampled, and must go on reading what the sample reads")
        : new DivisionForecast(
            merging.id(), "can be divided: a recombiner combines its accumulators in shares");
  }
}
