// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.ControlDependency;
import dev.anemone.ir.IRDag;
import dev.anemone.ir.MetricAggregationVertex;
import java.util.List;

/**
 * A control dependency starts at a {@link MetricAggregationVertex}, since only that sends a
 * message, and makes no vertex wait for itself.
 */
public final class ControlDependencyRule implements CheckRule {

  @Override
  public String name() {
    return "control-dependency";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (ControlDependency dependency : dag.controlDependencies()) {
      if (!(dag.vertex(dependency.from()) instanceof MetricAggregationVertex)) {
        violations.add(
            dag.vertex(dependency.to()),
            "waits for a message of " + dependency.from() + ", which is no metric aggregation");
      }
    }
    List<String> cycle = dag.waitCycle();
    if (!cycle.isEmpty()) {
      violations.add(dag.vertex(cycle.get(0)), "waits for itself, through the vertices " + cycle);
    }
    return violations.list();
  }
}
