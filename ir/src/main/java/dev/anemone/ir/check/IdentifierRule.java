// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.IRVertex;
import java.util.List;

/**
 * Ids of vertices and edges are not empty and contain no white space: they name files and tasks.
 */
public final class IdentifierRule implements CheckRule {

  @Override
  public String name() {
    return "identifier";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      if (isBad(vertex.id())) {
        violations.add(vertex, "has an id that is empty or contains white space");
      }
    }
    for (IREdge edge : dag.edges()) {
      if (isBad(edge.id())) {
        violations.add(edge, "has an id that is empty or contains white space");
      }
    }
    return violations.list();
  }

  private static boolean isBad(String id) {
    return id.isEmpty() || id.chars().anyMatch(Character::isWhitespace);
  }
}
