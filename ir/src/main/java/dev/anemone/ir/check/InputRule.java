// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.SourceVertex;
import java.util.List;

/**
 * Every vertex but a source has an in-edge, since without input it would never run; a source has
 * none. The clone of a source counts as a source.
 */
public final class InputRule implements CheckRule {

  @Override
  public String name() {
    return "input";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      int count = dag.incoming(vertex.id()).size();
      if (isSource(dag, vertex)) {
        if (count > 0) {
          violations.add(vertex, "is a source and must have no in-edge, but has " + count);
        }
      } else if (count == 0) {
        violations.add(vertex, "has no in-edge and is not a source, so it would never run");
      }
    }
    return violations.list();
  }

  private static boolean isSource(IRDag dag, IRVertex vertex) {
    return vertex instanceof SourceVertex
        || (vertex instanceof SampledVertex clone
            && dag.hasVertex(clone.original())
            && dag.vertex(clone.original()) instanceof SourceVertex);
  }
}
