// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.message.ShuffleSizes;
import java.util.List;

/**
 * Divides partitions of a join: of those sides that may be divided, the one with most bytes in the
 * partition is, and each task that reads a share of it reads all of the other sides.
 */
final class JoinDivision implements DivisionMethod {

  private final double[] bytes;
  private final List<ShuffleSizes.Shuffle> divisible;
  private final int tasks;
  private final double fair;

  /**
   * The division of a join.
   *
   * @param bytes of each partition, over all sides
   * @param divisible the sides that may be divided
   * @param tasks of the consumer
   */
  JoinDivision(double[] bytes, List<ShuffleSizes.Shuffle> divisible, int tasks) {
    this.bytes = bytes;
    this.divisible = List.copyOf(divisible);
    this.tasks = tasks;
    double total = 0;
    for (double ofPartition : bytes) {
      total += ofPartition;
    }
    this.fair = total / tasks;
  }

  /** The side that is divided where a partition is. */
  ShuffleSizes.Shuffle side(int partition) {
    ShuffleSizes.Shuffle largest = divisible.get(0);
    for (ShuffleSizes.Shuffle side : divisible) {
      if (side.estimatedBytes(partition) > largest.estimatedBytes(partition)) {
        largest = side;
      }
    }
    return largest;
  }

  /** A share is what at least one producer task wrote. */
  @Override
  public int mostShares(int partition) {
    ShuffleSizes.Shuffle side = side(partition);
    return side.estimatedBytes(partition) == 0 ? 1 : Math.min(tasks, side.tasks());
  }

  /**
   * As many that no share is larger than what each task would have to read if all had the same,
   * what the other sides are read several times included.
   */
  @Override
  public int firstShares(int partition) {
    int most = mostShares(partition);
    double others = bytes[partition] - side(partition).estimatedBytes(partition);
    for (int shares = 2; shares < most; shares++) {
      if (consumerBytes(partition, shares) <= fair + (shares - 1) * others / tasks) {
        return shares;
      }
    }
    return most;
  }

  @Override
  public double consumerBytes(int partition, int shares) {
    double divided = side(partition).estimatedBytes(partition);
    return divided / shares + Math.max(0, bytes[partition] - divided);
  }

  @Override
  public int consumerTasks(int shares) {
    return shares;
  }

  @Override
  public double aheadBytes(int partition, int shares) {
    return 0;
  }

  @Override
  public int aheadTasks() {
    return 0;
  }
}
