// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.defaults;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.Property;
import dev.anemone.passes.AnnotatingPass;
import dev.anemone.passes.PassContext;
import dev.anemone.passes.PassOption;
import dev.anemone.passes.graph.Annotator;
import dev.anemone.passes.graph.OneToOneGroups;
import dev.anemone.passes.graph.RelayChain;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs slow tasks a second time beside the first attempt (speculation), when {@link #SPECULATION}
 * asks for it.
 *
 * <pre>
 * before:  words --SHUFFLE--> count
 *
 * after:   words  ClonedScheduling[slowTaskThreshold=1.0, maxClonedFraction=0.1]   with speculation=true
 *          count  ClonedScheduling[slowTaskThreshold=1.0, maxClonedFraction=0.1]
 * </pre>
 *
 * <p>Stages with a relay are left out: what was pushed to one attempt of a relay would be missing
 * in the other.
 */
public final class ClonedSchedulingPass implements AnnotatingPass {

  public static final PassOption<Boolean> SPECULATION =
      PassOption.flag("speculation", "run slow tasks a second time beside the first attempt");
  public static final PassOption<Double> SPECULATION_THRESHOLD =
      PassOption.number(
          "speculationThreshold",
          0,
          1000,
          1,
          "standard deviations above the mean run time from which a task is slow");
  public static final PassOption<Double> SPECULATION_FRACTION =
      PassOption.number(
          "speculationFraction",
          0.001,
          1,
          0.1,
          "largest part of a vertex's tasks that runs twice at once");

  @Override
  public Set<Class<? extends Property>> annotates() {
    return Set.of(ClonedScheduling.class);
  }

  @Override
  public Set<PassOption<?>> options() {
    return Set.of(SPECULATION, SPECULATION_THRESHOLD, SPECULATION_FRACTION);
  }

  @Override
  public IRDag apply(IRDag dag, PassContext context) {
    if (!context.get(SPECULATION)) {
      return dag;
    }
    OneToOneGroups groups = OneToOneGroups.of(dag);
    ClonedScheduling cloned =
        new ClonedScheduling(context.get(SPECULATION_THRESHOLD), context.get(SPECULATION_FRACTION));
    return Annotator.vertices(
        dag,
        ClonedScheduling.class,
        vertex -> {
          Optional<ClonedScheduling> ofGroup = groups.value(vertex, ClonedScheduling.class);
          return ofGroup.isPresent() || hasRelay(dag, groups.of(vertex))
              ? ofGroup
              : Optional.of(cloned);
        });
  }

  private static boolean hasRelay(IRDag dag, List<IRVertex> group) {
    return group.stream().anyMatch(vertex -> RelayChain.isRelay(dag, vertex.id()));
  }
}
