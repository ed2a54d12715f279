// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import java.util.List;
import java.util.OptionalInt;

/**
 * The ends of a ONE_TO_ONE edge have equal parallelism. Where a clone reads a vertex that is not
 * cloned, the clone's original counts.
 */
public final class OneToOneParallelismRule implements CheckRule {

  @Override
  public String name() {
    return "one-to-one-parallelism";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IREdge edge : dag.edges()) {
      OptionalInt writers = TaskCounts.of(dag, edge.from());
      OptionalInt readers = TaskCounts.readers(dag, edge);
      if (edge.pattern() == CommunicationPattern.ONE_TO_ONE
          && writers.isPresent()
          && readers.isPresent()
          && writers.getAsInt() != readers.getAsInt()) {
        violations.add(
            edge,
            "is ONE_TO_ONE, but joins "
                + writers.getAsInt()
                + " tasks with "
                + readers.getAsInt()
                + "; both ends need equal parallelism");
      }
    }
    return violations.list();
  }
}
