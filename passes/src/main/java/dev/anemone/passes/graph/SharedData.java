// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.graph;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.KeyEncoder;
import dev.anemone.ir.property.KeyExtractor;
import dev.anemone.ir.property.Order;
import java.util.Optional;

/**
 * What an edge brings, as far as the program says: edges that bring the same can be written once
 * for all of them, if passes decide alike on each.
 */
public record SharedData(
    String from,
    String output,
    CommunicationPattern pattern,
    Optional<KeyExtractor> keyExtractor,
    Optional<KeyEncoder> keyEncoder,
    Optional<Order> order) {

  /** What this edge brings. */
  public static SharedData of(IREdge edge) {
    return new SharedData(
        edge.from(),
        edge.output(),
        edge.pattern(),
        edge.property(KeyExtractor.class),
        edge.property(KeyEncoder.class),
        edge.property(Order.class));
  }
}
