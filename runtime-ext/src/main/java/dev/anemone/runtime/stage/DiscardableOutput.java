// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.stage;

import dev.anemone.ir.property.ClonedScheduling;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a stage writes for a link, and may go when all who read it have succeeded.
 *
 * @param link position of the link among the stage's outputs
 * @param consumers the stages that read it: the link's, and those of its aliases
 */
public record DiscardableOutput(int link, Set<String> consumers) {

  public DiscardableOutput {
    consumers = Set.copyOf(consumers);
  }

  /**
   * Those of a stage: where a link and its aliases are {@linkplain Link#isDiscarded discarded}.
   * What a stage reads of whose tasks two attempts may run at a time is kept, since the slower one
   * may still read when the stage has succeeded.
   *
   * @param plans of all stages of the job
   */
  public static List<DiscardableOutput> of(StagePlan plan, List<StagePlan> plans) {
    Set<String> cloned =
        plans.stream()
            .map(StagePlan::stage)
            .filter(stage -> stage.vertices().get(0).property(ClonedScheduling.class).isPresent())
            .map(Stage::name)
            .collect(Collectors.toSet());
    List<DiscardableOutput> outputs = new ArrayList<>();
    for (int position = 0; position < plan.outputs().size(); position++) {
      if (position != writtenFor(plan, position)) {
        continue;
      }
      Set<String> consumers = new LinkedHashSet<>();
      boolean discarded = true;
      for (int other = 0; other < plan.outputs().size(); other++) {
        if (writtenFor(plan, other) == position) {
          Link link = plan.outputs().get(other);
          consumers.add(link.peer());
          discarded &= link.isDiscarded() && !cloned.contains(link.peer());
        }
      }
      if (discarded) {
        outputs.add(new DiscardableOutput(position, consumers));
      }
    }
    return List.copyOf(outputs);
  }

  /**
   * The link for which that was written which a link brings: itself, or the one whose alias it is;
   * an aggregation writes one block for all.
   *
   * @param position of the link among the stage's outputs
   * @return the position of the other link
   */
  public static int writtenFor(StagePlan plan, int position) {
    Optional<String> original = plan.outputs().get(position).aliasOf();
    if (plan.isAggregation()) {
      return 0;
    }
    return original.isEmpty()
        ? position
        : IntStream.range(0, plan.outputs().size())
            .filter(i -> plan.outputs().get(i).peer().equals(original.get()))
            .findFirst()
            .orElseThrow();
  }
}
