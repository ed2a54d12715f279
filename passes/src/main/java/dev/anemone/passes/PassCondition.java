// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import java.util.Objects;
import java.util.function.BiPredicate;

/**
 * When a pass applies. The harness tests it right before the pass, on the graph as it is then; it
 * is honoured on single passes, on composites and on run-time passes alike.
 *
 * @param description completes "only when ...", for example {@code "a shuffle has 10,000 blocks"}
 * @param predicate must not change anything and must answer alike for equal graphs
 */
public record PassCondition(String description, BiPredicate<IRDag, PassContext> predicate) {

  /** Holds for every graph. */
  public static final PassCondition ALWAYS = new PassCondition("always", (dag, context) -> true);

  public PassCondition {
    Objects.requireNonNull(description, "description");
    Objects.requireNonNull(predicate, "predicate");
  }

  /** Whether it holds. */
  public boolean holds(IRDag dag, PassContext context) {
    return predicate.test(dag, context);
  }

  /** Holds when both do. */
  public PassCondition and(PassCondition other) {
    return new PassCondition(
        description + " and " + other.description, predicate.and(other.predicate));
  }

  /** Holds when this one does not. */
  public PassCondition negate() {
    return new PassCondition("not (" + description + ")", predicate.negate());
  }
}
