// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

/** How far an estimated distribution is from the true one. */
final class EstimateError {
  private EstimateError() {}

  /**
   * The total variation distance: half the sum, over all partitions, of the differences between the
   * estimated and the true share. It is the part of all bytes that the estimate has in wrong
   * partitions, from 0 to 1.
   *
   * @param estimate bytes of each partition in the sample
   * @param truth bytes of each partition
   */
  static double totalVariation(long[] estimate, long[] truth) {
    double estimated = sum(estimate);
    double all = sum(truth);
    double differences = 0;
    for (int partition = 0; partition < truth.length; partition++) {
      differences += Math.abs(estimate[partition] / estimated - truth[partition] / all);
    }
    return differences / 2;
  }

  private static double sum(long[] bytes) {
    double sum = 0;
    for (long partition : bytes) {
      sum += partition;
    }
    return sum;
  }
}
