// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes;

import dev.anemone.ir.IRDag;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a list of passes made of a graph, step by step.
 *
 * @param policy name of the policy
 * @param input the graph before the first pass
 * @param steps one per pass in the order in which they ran; one for the whole composite when its
 *     condition did not hold
 * @param runTimePasses passes to be applied while the job runs
 */
public record OptimizationTrace(
    String policy, IRDag input, List<OptimizationStep> steps, List<RunTimePass<?>> runTimePasses) {

  public OptimizationTrace {
    Objects.requireNonNull(policy, "policy");
    Objects.requireNonNull(input, "input");
    steps = List.copyOf(steps);
    runTimePasses = List.copyOf(runTimePasses);
  }

  /**
   * This trace, and what somebody behind the passes has to say of their result.
   *
   * @param path who says it, as it is printed
   * @param notes sentences; without any, the trace is this one
   */
  public OptimizationTrace withNotes(String path, List<String> notes) {
    if (notes.isEmpty()) {
      return this;
    }
    List<OptimizationStep> more = new ArrayList<>(steps);
    more.add(OptimizationStep.of(path, result(), result(), notes));
    return new OptimizationTrace(policy, input, more, runTimePasses);
  }

  /** The graph after the last pass. */
  public IRDag result() {
    return steps.isEmpty() ? input : steps.get(steps.size() - 1).after();
  }
}
