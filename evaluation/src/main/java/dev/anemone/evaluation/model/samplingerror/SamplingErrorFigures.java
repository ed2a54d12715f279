// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import java.util.List;

/**
 * The raw figures of the experiment, as they are written to a file.
 *
 * @param tasks that produce
 * @param partitions that they write into
 * @param consumers tasks that read the partitions
 * @param scale of the TPC-H data
 * @param skew of the TPC-H data, as {@code --skew} takes it
 * @param textBytes size of the text
 * @param data in the order in which it was measured
 */
record SamplingErrorFigures(
    int tasks,
    int partitions,
    int consumers,
    double scale,
    String skew,
    long textBytes,
    List<Data> data) {

  /**
   * One shuffle.
   *
   * @param name for tables
   * @param bytes of all records
   * @param hashedMaxToMean of the bytes of consumer tasks that read as many partitions each
   * @param samples by rising rate
   */
  record Data(String name, long bytes, double hashedMaxToMean, List<Sample> samples) {}

  /**
   * One sampling rate.
   *
   * @param rate the part of the tasks that was asked for
   * @param sampledTasks how many tasks that is
   * @param error total variation distance of the estimate from the truth
   * @param drawnMaxToMean of the true bytes of consumer tasks whose ranges were drawn from the
   *     estimate
   */
  record Sample(double rate, int sampledTasks, double error, double drawnMaxToMean) {}
}
