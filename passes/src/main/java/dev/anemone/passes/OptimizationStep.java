package dev.anemone.passes;

import dev.anemone.ir.IRDag;
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
 */
public record OptimizationStep(
    String path, IRDag before, IRDag after, Outcome outcome, String reason) {

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
  }

  static OptimizationStep of(String path, IRDag before, IRDag after) {
    return before.equals(after)
        ? new OptimizationStep(path, before, before, Outcome.UNCHANGED, "")
        : new OptimizationStep(path, before, after, Outcome.CHANGED, "");
  }

  static OptimizationStep skipped(String path, IRDag dag, String reason) {
    return new OptimizationStep(path, dag, dag, Outcome.SKIPPED, reason);
  }
}
