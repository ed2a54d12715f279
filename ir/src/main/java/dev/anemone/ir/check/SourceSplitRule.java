// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SourceVertex;
import dev.anemone.ir.property.Parallelism;
import dev.anemone.ir.property.SplitAssignment;
import java.util.List;
import java.util.Optional;

/**
 * The tasks of a source read every part once: with a {@link SplitAssignment} as it says, otherwise
 * one part each. The assignment has one entry per task.
 */
public final class SourceSplitRule implements CheckRule {

  @Override
  public String name() {
    return "source-split";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SourceVertex source) {
        check(source, violations);
      } else if (vertex.property(SplitAssignment.class).isPresent()
          && !dag.incoming(vertex.id()).isEmpty()) {
        violations.add(vertex, "has a SplitAssignment, but reads no parts of a source");
      }
    }
    return violations.list();
  }

  private static void check(SourceVertex source, Violations violations) {
    Optional<Parallelism> parallelism = source.property(Parallelism.class);
    Optional<SplitAssignment> assignment = source.property(SplitAssignment.class);
    int splits = assignment.map(present -> present.perTask().size()).orElse(source.parts().size());
    if (parallelism.isPresent() && parallelism.get().tasks() != splits) {
      violations.add(
          source,
          "has Parallelism "
              + parallelism.get().tasks()
              + ", but "
              + splits
              + (assignment.isPresent() ? " entries in its SplitAssignment" : " parts to read"));
    }
    if (assignment.isPresent()) {
      checkAssignment(source, assignment.get(), violations);
    }
  }

  private static void checkAssignment(
      SourceVertex source, SplitAssignment assignment, Violations violations) {
    int[] readers = new int[source.parts().size()];
    for (List<Integer> parts : assignment.perTask()) {
      for (int part : parts) {
        if (part < 0 || part >= readers.length) {
          violations.add(
              source, "assigns part " + part + ", but has only " + readers.length + " parts");
        } else {
          readers[part]++;
        }
      }
    }
    for (int part = 0; part < readers.length; part++) {
      if (readers[part] != 1) {
        violations.add(source, "reads part " + part + " " + readers[part] + " times, not once");
      }
    }
  }
}
