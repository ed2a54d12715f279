// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.operator.combine;

import dev.anemone.beam.operator.group.TriggeredGroupOperator;
import dev.anemone.beam.spec.CombineSpec;
import dev.anemone.beam.spec.GroupingSpec;
import dev.anemone.runtime.spi.Operator;

/** Chooses the operator for a phase of a combine. */
public final class CombineOperators {

  private CombineOperators() {}

  public static Operator of(CombineSpec spec) {
    boolean merging = GroupingSpec.of(spec.windowing()).mode() == GroupingSpec.Mode.MERGING;
    return switch (spec.phase()) {
      case WHOLE -> {
        if (!merging) {
          yield new WholeCombineOperator(spec);
        }
        yield GroupingSpec.firesOnce(spec.windowing().getTrigger())
            ? new MergingWindowsCombineOperator(spec)
            : TriggeredGroupOperator.combining(spec);
      }
      case PARTIAL -> new PartialCombineOperator(splittable(spec, merging));
      case MERGING -> new MergingCombineOperator(splittable(spec, merging));
    };
  }

  private static CombineSpec splittable(CombineSpec spec, boolean merging) {
    if (merging) {
      throw new IllegalArgumentException(
          "The combine of step '"
              + spec.stepName()
              + "' cannot be split into a partial and a merging half, because its windows merge or"
              + " its trigger may fire more than once: "
              + spec.windowing());
    }
    return spec;
  }
}
