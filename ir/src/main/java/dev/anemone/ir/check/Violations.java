// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import java.util.ArrayList;
import java.util.List;

/** Collects what one rule finds in one graph. Not thread-safe. */
final class Violations {

  private final String rule;
  private final List<Violation> found = new ArrayList<>();

  Violations(CheckRule rule) {
    this.rule = rule.name();
  }

  /** Says that the edge {@code problem}: the message begins with the edge. */
  void add(IREdge edge, String problem) {
    found.add(
        new Violation(
            rule,
            edge.id(),
            "edge " + edge.id() + " (" + edge.from() + " to " + edge.to() + ") " + problem));
  }

  /** Says that the vertex {@code problem}: the message begins with the vertex. */
  void add(IRVertex vertex, String problem) {
    found.add(new Violation(rule, vertex.id(), "vertex " + vertex.id() + " " + problem));
  }

  List<Violation> list() {
    return List.copyOf(found);
  }
}
