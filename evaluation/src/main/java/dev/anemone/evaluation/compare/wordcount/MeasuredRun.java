// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.wordcount;

import dev.anemone.evaluation.lab.process.ProcessFigures;

/**
 * One run of the word count.
 *
 * @param runner name of the runner
 * @param round from 1; all runners have a run in a round
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param figures what the process cost
 * @param outcome whether that is the price of a right answer
 */
record MeasuredRun(
    String runner, int round, double loadBefore, ProcessFigures figures, Outcome outcome) {

  boolean isCorrect() {
    return outcome instanceof Outcome.Correct;
  }
}
