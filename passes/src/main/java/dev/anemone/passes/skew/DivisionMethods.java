// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.IREdge;
import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.property.Divisibility;
import dev.anemone.passes.skew.DrawnConsumer.Drawn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds out how partitions of a consumer can be divided. */
final class DivisionMethods {

  private DivisionMethods() {}

  /**
   * A method, and why it cannot divide anything.
   *
   * @param method knows the sizes of partitions
   * @param reason why nothing can be divided; empty where something can
   */
  record Found(DivisionMethod method, String reason) {}

  /**
   * The method for a consumer.
   *
   * @param bytes of each partition
   * @param tasks that the consumer will have
   */
  static Found of(DrawnConsumer consumer, double[] bytes, int tasks) {
    List<Drawn> shuffles = consumer.shuffles();
    if (consumer.recombiner().isPresent()) {
      int producers = shuffles.stream().mapToInt(drawn -> drawn.sizes().tasks()).max().orElse(1);
      int recombinerTasks = DrawnConsumer.tasks(consumer.recombiner().get().vertex());
      return producers == 1
          ? none(bytes, "only one task writes it")
          : new Found(new RecombinerDivision(bytes, producers, recombinerTasks), "");
    }
    List<ShuffleSizes.Shuffle> divisible = new ArrayList<>();
    Set<List<String>> blocks = new HashSet<>();
    for (Drawn drawn : shuffles) {
      blocks.add(drawn.sizes().edges());
      if (drawn.edge().property(Divisibility.class).orElse(Divisibility.WHOLE)
          == Divisibility.DIVISIBLE) {
        divisible.add(drawn.sizes());
      }
    }
    if (divisible.isEmpty()) {
      return none(bytes, "all values of a key must come together");
    }
    IREdge first = shuffles.get(0).edge();
    boolean oneInput =
        shuffles.stream()
            .map(Drawn::edge)
            .allMatch(e -> e.to().equals(first.to()) && e.input().equals(first.input()));
    if (!oneInput) {
      return none(bytes, "the stage reads shuffles into several inputs by the same ranges");
    }
    if (blocks.size() < shuffles.size()) {
      return none(bytes, "one stage writes several sides of the join, which lie in one block");
    }
    return new Found(new JoinDivision(bytes, divisible, tasks), "");
  }

  private static Found none(double[] bytes, String reason) {
    return new Found(new NoDivision(bytes), reason);
  }
}
