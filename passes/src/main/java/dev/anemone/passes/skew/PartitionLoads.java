// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.message.ShuffleSizes;
import dev.anemone.ir.partition.HashRange;
import dev.anemone.ir.partition.PartitionDivision;
import dev.anemone.ir.property.PartitionSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

/** What the tasks of a consumer read of a shuffle, as far as a sample of its producers tells. */
public final class PartitionLoads {

  private PartitionLoads() {}

  /**
   * Estimated bytes for each consumer task. Of partitions that are divided into {@code m} shares
   * each task reads one {@code m}-th, or all where they are replicated.
   *
   * @param set the partitions that each task reads
   * @param shuffle has at least as many partitions
   */
  public static double[] of(PartitionSet set, ShuffleSizes.Shuffle shuffle) {
    return of(set, shuffle::estimatedBytes);
  }

  /** The same for any sizes of partitions. */
  static double[] of(PartitionSet set, IntToDoubleFunction bytes) {
    Map<HashRange, Integer> shares = new HashMap<>();
    for (PartitionDivision division : set.divisions()) {
      if (!division.replicated()) {
        shares.put(division.range(), division.tasks().size());
      }
    }
    double[] loads = new double[set.perTask().size()];
    for (int task = 0; task < loads.length; task++) {
      for (HashRange range : set.perTask().get(task)) {
        double all = 0;
        for (int partition = range.from(); partition < range.to(); partition++) {
          all += bytes.applyAsDouble(partition);
        }
        loads[task] += all / shares.getOrDefault(range, 1);
      }
    }
    return loads;
  }
}
