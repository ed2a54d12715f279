// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

import java.util.List;
import java.util.Objects;

/**
 * A split, and the operators at the head of its source that the storage side can run: always a
 * first part of them, in their order.
 *
 * @param bytes of the split as it is stored
 * @param operators in the order of the data
 * @param start what is done before operators
 */
public record SplitCost(double bytes, List<OperatorCost> operators, StartCost start) {

  /**
   * Checks the size.
   *
   * @throws IllegalArgumentException if it is negative or not finite
   */
  public SplitCost {
    Figures.requireNotNegative("The size of a split", bytes);
    operators = List.copyOf(operators);
    Objects.requireNonNull(start, "start");
  }

  /** A split on which operators start at once. */
  public SplitCost(double bytes, List<OperatorCost> operators) {
    this(bytes, operators, StartCost.NONE);
  }

  /**
   * Bytes that leave the storage side when the first operators run there.
   *
   * @param pushed how many do, from 0 to all
   */
  public double bytesAfter(int pushed) {
    Objects.checkIndex(pushed, operators.size() + 1);
    double left = bytes;
    for (OperatorCost operator : operators.subList(0, pushed)) {
      left *= operator.selectivity();
    }
    return left;
  }

  /**
   * Work of the storage side, in core-seconds, when the first operators run there.
   *
   * @param pushed how many do, from 0 to all
   */
  public double storageWork(int pushed) {
    Objects.checkIndex(pushed, operators.size() + 1);
    double work = pushed > 0 ? start.storageSeconds() : 0;
    double left = bytes;
    for (OperatorCost operator : operators.subList(0, pushed)) {
      work += left * operator.storageSecondsPerByte();
      left *= operator.selectivity();
    }
    return work;
  }

  /**
   * Work that is left to the compute side, in core-seconds, when the first operators are pushed.
   *
   * @param pushed how many are, from 0 to all
   */
  public double computeWork(int pushed) {
    double work = pushed < operators.size() ? start.computeSeconds() : 0;
    double left = bytesAfter(pushed);
    for (OperatorCost operator : operators.subList(pushed, operators.size())) {
      work += left * operator.computeSecondsPerByte();
      left *= operator.selectivity();
    }
    return work;
  }
}
