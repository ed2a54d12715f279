// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.MetricAggregationVertex;
import dev.anemone.ir.MetricCollectionVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Message ids match: a metric collection reads one edge and feeds one aggregation of the same
 * message id; an aggregation takes only such collections, at least one; no two aggregations have
 * the same message id. What a collection measures is a shuffle of the output that it reads, of the
 * original of the clone; and no other collection measures it.
 */
public final class MessageRule implements CheckRule {

  @Override
  public String name() {
    return "message";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    Map<String, String> aggregations = new HashMap<>();
    Map<String, String> collections = new HashMap<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof MetricCollectionVertex collection) {
        checkCollection(dag, collection, violations);
        checkMeasured(dag, collection, violations);
        String other = collections.putIfAbsent(collection.measured(), collection.id());
        if (other != null) {
          violations.add(
              collection, "measures edge " + collection.measured() + ", as does " + other);
        }
      } else if (vertex instanceof MetricAggregationVertex aggregation) {
        checkAggregation(dag, aggregation, violations);
        String other = aggregations.putIfAbsent(aggregation.messageId(), aggregation.id());
        if (other != null) {
          violations.add(
              aggregation, "aggregates message " + aggregation.messageId() + ", as does " + other);
        }
      }
    }
    return violations.list();
  }

  private static void checkCollection(
      IRDag dag, MetricCollectionVertex collection, Violations violations) {
    int measured = dag.incoming(collection.id()).size();
    if (measured != 1) {
      violations.add(collection, "must measure one edge, but has " + measured + " in-edges");
    }
    List<IREdge> outgoing = dag.outgoing(collection.id());
    if (outgoing.size() != 1) {
      violations.add(
          collection, "must feed one aggregation, but has " + outgoing.size() + " out-edges");
    }
    for (IREdge edge : outgoing) {
      if (!(dag.vertex(edge.to()) instanceof MetricAggregationVertex aggregation
          && aggregation.messageId().equals(collection.messageId()))) {
        violations.add(
            collection,
            "collects for message "
                + collection.messageId()
                + ", but feeds "
                + edge.to()
                + ", which does not aggregate it");
      }
    }
  }

  private static void checkMeasured(
      IRDag dag, MetricCollectionVertex collection, Violations violations) {
    String what = "measures edge " + collection.measured() + ", which ";
    if (!dag.hasEdge(collection.measured())) {
      violations.add(collection, what + "is not there");
      return;
    }
    IREdge measured = dag.edge(collection.measured());
    if (measured.pattern() != CommunicationPattern.SHUFFLE) {
      violations.add(collection, what + "is " + measured.pattern() + ", not SHUFFLE");
    }
    for (IREdge edge : dag.incoming(collection.id())) {
      boolean same =
          dag.vertex(edge.from()) instanceof SampledVertex clone
              && clone.original().equals(measured.from())
              && edge.output().equals(measured.output());
      if (!same) {
        violations.add(
            collection,
            what
                + "starts at output "
                + measured.output()
                + " of "
                + measured.from()
                + ", but it reads output "
                + edge.output()
                + " of "
                + edge.from()
                + ", which is no clone of that");
      }
    }
  }

  private static void checkAggregation(
      IRDag dag, MetricAggregationVertex aggregation, Violations violations) {
    List<IREdge> incoming = dag.incoming(aggregation.id());
    if (incoming.isEmpty()) {
      violations.add(
          aggregation, "aggregates message " + aggregation.messageId() + ", which nobody collects");
    }
    for (IREdge edge : incoming) {
      if (!(dag.vertex(edge.from()) instanceof MetricCollectionVertex collection
          && collection.messageId().equals(aggregation.messageId()))) {
        violations.add(
            aggregation,
            "aggregates message "
                + aggregation.messageId()
                + ", but takes the data of "
                + edge.from()
                + ", which does not collect for it");
      }
    }
  }
}
