// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.ndpsimulator;

import dev.anemone.ndp.decide.OperatorCost;
import dev.anemone.ndp.decide.SplitCost;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A query that scans one table.
 *
 * @param name for people
 * @param operators what the optimizer believes of the operators that can be pushed
 * @param splits what they really do and cost, split by split
 */
record Query(String name, List<OperatorCost> operators, List<SplitCost> splits) {

  Query {
    operators = List.copyOf(operators);
    splits = List.copyOf(splits);
  }

  /**
   * A query whose splits differ from what is believed of them.
   *
   * @param variation the most by which a split's size, and the work and the selectivity of each of
   *     its operators differ, as a part, below 1; what a policy believes is their mean
   * @param seed of the differences
   */
  static Query generate(
      QueryShape shape,
      double storagePower,
      int splits,
      double splitBytes,
      double variation,
      long seed) {
    Random random = new Random(seed);
    List<OperatorCost> believed = shape.operators(storagePower);
    List<SplitCost> generated = new ArrayList<>();
    for (int split = 0; split < splits; split++) {
      double bytes = splitBytes * differing(random, variation);
      List<OperatorCost> operators = new ArrayList<>();
      for (OperatorCost operator : believed) {
        double work = differing(random, variation);
        operators.add(
            new OperatorCost(
                operator.name(),
                operator.selectivity() * differing(random, variation),
                operator.storageSecondsPerByte() * work,
                operator.computeSecondsPerByte() * work));
      }
      generated.add(new SplitCost(bytes, operators));
    }
    return new Query(shape.name(), believed, generated);
  }

  private static double differing(Random random, double variation) {
    return 1 + variation * (2 * random.nextDouble() - 1);
  }

  /** What is known of a split before it is read: its size, and what is believed of operators. */
  SplitCost believed(int split) {
    return new SplitCost(splits.get(split).bytes(), operators);
  }

  /** The mean split, as it is believed to be. */
  SplitCost meanSplit() {
    double bytes = splits.stream().mapToDouble(SplitCost::bytes).average().orElseThrow();
    return new SplitCost(bytes, operators);
  }
}
