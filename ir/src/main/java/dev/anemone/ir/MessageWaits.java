// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir;

import dev.anemone.ir.property.CommunicationPattern;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which vertices wait for messages because these say what their tasks read: those that read a
 * measured shuffle, or what relays and recombiners make of it. Clones wait as their originals do.
 */
final class MessageWaits {

  private final IRDag dag;

  MessageWaits(IRDag dag) {
    this.dag = dag;
  }

  /**
   * A vertex that waits.
   *
   * @param aggregation id of the vertex that makes the message
   * @param vertex id of the one that waits for it
   */
  record Wait(String aggregation, String vertex) {}

  /** All such waits, those of one measured shuffle after the other. */
  List<Wait> all() {
    List<Wait> waits = new ArrayList<>();
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof MetricCollectionVertex collection
          && dag.hasEdge(collection.measured())) {
        Set<String> waiting = withClones(readers(dag.edge(collection.measured())));
        for (IREdge toAggregation : dag.outgoing(collection.id())) {
          waiting.forEach(id -> waits.add(new Wait(toAggregation.to(), id)));
        }
      }
    }
    return waits;
  }

  private Set<String> readers(IREdge measured) {
    Set<String> readers = new LinkedHashSet<>();
    for (IREdge edge : dag.outgoing(measured.from())) {
      if (edge.output().equals(measured.output())
          && edge.pattern() == CommunicationPattern.SHUFFLE
          && (edge.equals(measured) || ShuffleAliases.isAlias(dag, edge))) {
        if (dag.vertex(edge.to()) instanceof RelayVertex) {
          dag.outgoing(edge.to()).stream()
              .filter(onward -> onward.output().equals(edge.input()))
              .forEach(onward -> readers.addAll(readers(onward)));
        } else {
          readers.add(edge.to());
        }
      }
    }
    return readers;
  }

  private Set<String> withClones(Set<String> readers) {
    Set<String> all = new LinkedHashSet<>(readers);
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex sampled && readers.contains(sampled.original())) {
        all.add(sampled.id());
      }
    }
    return all;
  }
}
