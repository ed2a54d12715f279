// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IREdge;
import dev.anemone.ir.property.CommunicationPattern;
import dev.anemone.ir.property.DataFlow;
import dev.anemone.ir.property.ScheduleGroup;
import java.util.List;
import java.util.Optional;

/**
 * A PUSH edge joins vertices of one schedule group, since they must run together; a PULL edge leads
 * to a later group, since its consumer starts when the producer has finished. ONE_TO_ONE edges
 * inside a group are exempt: they are fused, and no data moves.
 */
public final class DataFlowRule implements CheckRule {

  @Override
  public String name() {
    return "data-flow";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IREdge edge : dag.edges()) {
      Optional<DataFlow> flow = edge.property(DataFlow.class);
      Optional<ScheduleGroup> from = dag.vertex(edge.from()).property(ScheduleGroup.class);
      Optional<ScheduleGroup> to = dag.vertex(edge.to()).property(ScheduleGroup.class);
      if (flow.isEmpty() || from.isEmpty() || to.isEmpty()) {
        continue;
      }
      int first = from.get().group();
      int second = to.get().group();
      if (flow.get() == DataFlow.PUSH && first != second) {
        violations.add(
            edge,
            "is PUSH, but leads from schedule group "
                + first
                + " to "
                + second
                + "; its ends must be in one group");
      }
      if (flow.get() == DataFlow.PULL
          && edge.pattern() != CommunicationPattern.ONE_TO_ONE
          && second <= first) {
        violations.add(
            edge,
            "is PULL, but leads from schedule group "
                + first
                + " to "
                + second
                + "; its consumer must be in a later group");
      }
    }
    return violations.list();
  }
}
