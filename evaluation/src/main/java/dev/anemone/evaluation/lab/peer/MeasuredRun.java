// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.peer;

import dev.anemone.evaluation.lab.process.ProcessCost;

/**
 * One run of a program on a runner. Only the cost of a correct one means anything.
 *
 * @param runner its name
 * @param round from 1; all runners have a run in a round
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param outcome {@link #CORRECT}, or what went wrong, for a failure with the end of its log
 * @param cost of the process
 */
public record MeasuredRun(
    String runner, int round, double loadBefore, String outcome, ProcessCost cost) {
  /** The outcome of a run with a right answer. */
  public static final String CORRECT = "correct";

  /** Whether its answer was right. */
  public boolean succeeded() {
    return outcome.equals(CORRECT);
  }

  /** The outcome in a few words, for a table. */
  public String shortOutcome() {
    return outcome.startsWith("killed") ? outcome : outcome.split("[ :]", 2)[0];
  }
}
