// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.AntiAffinity;
import dev.anemone.ir.property.Parallelism;
import java.util.List;
import java.util.Optional;

/** Tasks named by an {@link AntiAffinity} exist. */
public final class AntiAffinityRule implements CheckRule {

  @Override
  public String name() {
    return "anti-affinity";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      Optional<AntiAffinity> antiAffinity = vertex.property(AntiAffinity.class);
      if (antiAffinity.isEmpty()) {
        continue;
      }
      int tasks =
          vertex.property(Parallelism.class).map(Parallelism::tasks).orElse(Integer.MAX_VALUE);
      for (int task : antiAffinity.get().tasks()) {
        if (task < 0 || task >= tasks) {
          violations.add(
              vertex,
              "has an AntiAffinity for task "
                  + task
                  + ", which is not among its tasks"
                  + " 0 to "
                  + (tasks - 1));
        }
      }
    }
    return violations.list();
  }
}
