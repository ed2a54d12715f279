// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

/** Which producer tasks are a sample: as many as skew handling takes, at equal distances. */
final class SampledTasks {
  private static final int LEAST = 2;

  private SampledTasks() {}

  /**
   * The indexes of the sampled tasks.
   *
   * @param rate the part of all tasks that is sampled, above 0 and at most 1
   */
  static int[] of(double rate, int tasks) {
    int count = Math.min(tasks, Math.max(LEAST, (int) Math.ceil(rate * tasks)));
    int[] sample = new int[count];
    for (int index = 0; index < count; index++) {
      sample[index] = (int) ((index + 0.5) * tasks / count);
    }
    return sample;
  }
}
