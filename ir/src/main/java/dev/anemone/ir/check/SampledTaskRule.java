// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.check;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.SampledVertex;
import dev.anemone.ir.ShuffleAliases;
import dev.anemone.ir.property.Parallelism;
import java.util.List;
import java.util.OptionalInt;

/**
 * A clone's original exists and is neither a relay nor a recombiner, whose data is measured before
 * them; its sample consists of tasks of the original, ascending and distinct; and it has one task
 * for each. A clone of all tasks may have more than its original, which was given fewer meanwhile.
 */
public final class SampledTaskRule implements CheckRule {

  @Override
  public String name() {
    return "sampled-task";
  }

  @Override
  public List<Violation> check(IRDag dag) {
    Violations violations = new Violations(this);
    for (IRVertex vertex : dag.vertices()) {
      if (vertex instanceof SampledVertex clone) {
        check(dag, clone, violations);
      }
    }
    return violations.list();
  }

  private static void check(IRDag dag, SampledVertex clone, Violations violations) {
    if (!dag.hasVertex(clone.original())) {
      violations.add(clone, "is a clone of " + clone.original() + ", which is not there");
    } else if (Relays.isRelay(dag, clone.original())) {
      violations.add(
          clone, "is a clone of relay " + clone.original() + ", which cannot be sampled");
    } else if (ShuffleAliases.isRecombiner(dag, clone.original())) {
      violations.add(
          clone, "is a clone of recombiner " + clone.original() + ", which cannot be sampled");
    }
    List<Integer> sample = clone.sample();
    for (int k = 0; k < sample.size(); k++) {
      if (sample.get(k) < 0 || (k > 0 && sample.get(k) <= sample.get(k - 1))) {
        violations.add(
            clone, "samples the tasks " + sample + ", which are not ascending and distinct");
        break;
      }
    }
    OptionalInt tasks = TaskCounts.of(dag, clone.original());
    if (tasks.isPresent()
        && !clone.samplesAll()
        && sample.stream().anyMatch(task -> task >= tasks.getAsInt())) {
      violations.add(
          clone,
          "samples the tasks "
              + sample
              + ", but "
              + clone.original()
              + " has only "
              + tasks.getAsInt());
    }
    clone
        .property(Parallelism.class)
        .filter(parallelism -> parallelism.tasks() != sample.size())
        .ifPresent(
            parallelism ->
                violations.add(
                    clone,
                    "has Parallelism "
                        + parallelism.tasks()
                        + ", but samples "
                        + sample.size()
                        + " tasks"));
  }
}
