// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import java.util.List;
import java.util.Objects;

/**
 * What one pass did.
 *
 * @param path names of the policy, the composites around the pass, and the pass, joined by {@code
 *     /}, as in {@code Default/Parallelism}
 * @param before the graph that the pass got
 * @param after the graph that it returned; {@code before} itself unless the outcome is {@link
 *     Outcome#CHANGED}
 * @param outcome what came of it
 * @param reason why it was skipped; empty otherwise
 * @param notes what the pass says of its result, see {@link CompileTimePass#notes}
 */
public record OptimizationStep(
    String path, IRDag before, IRDag after, Outcome outcome, String reason, List<String> notes) {

  /** What came of a pass. */
  public enum Outcome {
    /** It returned another graph. */
    CHANGED,
    /** There was nothing to do. */
    UNCHANGED,
    /** Its condition did not hold, or a pass that it requires was skipped. */
    SKIPPED
  }

  public OptimizationStep {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(before, "before");
    Objects.requireNonNull(after, "after");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(reason, "reason");
    notes = List.copyOf(notes);
  }

  static OptimizationStep of(String path, IRDag before, IRDag after, List<String> notes) {
    return before.equals(after)
        ? new OptimizationStep(path, before, before, Outcome.UNCHANGED, "", notes)
        : new OptimizationStep(path, before, after, Outcome.CHANGED, "", notes);
  }

  static OptimizationStep skipped(String path, IRDag dag, String reason) {
    return new OptimizationStep(path, dag, dag, Outcome.SKIPPED, reason, List.of());
  }
}
