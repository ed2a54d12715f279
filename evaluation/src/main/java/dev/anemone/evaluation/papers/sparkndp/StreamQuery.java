// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.sparkndp;

import dev.anemone.ndp.decide.OperatorCost;
import dev.anemone.ndp.decide.SplitCost;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A query over one table: operators in the order of the data, of which a first part can run on the
 * storage side.
 *
 * @param operators what they leave of their input, and their work per byte of it
 * @param partitions sizes in bytes
 */
record StreamQuery(List<OperatorCost> operators, List<Double> partitions) {

  /**
   * A query of so many bytes in partitions that differ from their mean by a part, at most.
   *
   * @param variation from 0 to below 1
   */
  static StreamQuery of(
      List<OperatorCost> operators, double bytes, int partitions, double variation, Random random) {
    double mean = bytes / partitions;
    return new StreamQuery(
        operators,
        IntStream.range(0, partitions)
            .mapToObj(i -> mean * (1 + variation * (2 * random.nextDouble() - 1)))
            .toList());
  }

  SplitCost partition(int index) {
    return new SplitCost(partitions.get(index), operators);
  }

  /** All partitions as one. */
  SplitCost whole() {
    return new SplitCost(partitions.stream().mapToDouble(Double::doubleValue).sum(), operators);
  }

  SplitCost meanPartition() {
    return new SplitCost(whole().bytes() / partitions.size(), operators);
  }
}
