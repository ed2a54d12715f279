// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.model.samplingerror;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/** Which consumer task reads which partition, and what it then has to read. */
public final class Ranges {
  private static final int LEAST_SAMPLE = 2;

  private Ranges() {}

  /** As without skew handling: every task as many partitions, one behind the other. */
  static int[] even(int partitions, int tasks) {
    return IntStream.range(0, partitions)
        .map(partition -> (int) ((long) partition * tasks / partitions))
        .toArray();
  }

  /**
   * The largest partition first, each to the task that has least: longest processing time first
   * (Graham, <i>Bounds on Multiprocessing Timing Anomalies</i>, 1969). Partitions that the estimate
   * knows nothing of are spread by their number.
   */
  static int[] drawn(long[] estimate, int tasks) {
    PriorityQueue<Load> loads =
        new PriorityQueue<>(
            Comparator.comparingLong(Load::bytes)
                .thenComparingInt(Load::partitions)
                .thenComparingInt(Load::task));
    for (int task = 0; task < tasks; task++) {
      loads.add(new Load(task, 0, 0));
    }
    int[] taskOf = new int[estimate.length];
    IntStream.range(0, estimate.length)
        .boxed()
        .sorted(Comparator.comparingLong((Integer partition) -> estimate[partition]).reversed())
        .forEach(
            partition -> {
              Load least = loads.remove();
              taskOf[partition] = least.task();
              loads.add(least.with(estimate[partition]));
            });
    return taskOf;
  }

  private record Load(int task, long bytes, int partitions) {
    Load with(long more) {
      return new Load(task, bytes + more, partitions + 1);
    }
  }

  /** How many times as much as a task on average the busiest one reads. */
  static double maxToMean(int[] taskOf, long[] bytes, int tasks) {
    long[] loads = new long[tasks];
    long sum = 0;
    for (int partition = 0; partition < bytes.length; partition++) {
      loads[taskOf[partition]] += bytes[partition];
      sum += bytes[partition];
    }
    return (double) IntStream.range(0, tasks).mapToLong(task -> loads[task]).max().orElse(0)
        * tasks
        / sum;
  }

  /** The total variation distance: the part of all bytes that an estimate has elsewhere. */
  static double totalVariation(long[] estimate, long[] truth) {
    double estimated = Arrays.stream(estimate).sum();
    double all = Arrays.stream(truth).sum();
    double differences = 0;
    for (int partition = 0; partition < truth.length; partition++) {
      differences += Math.abs(estimate[partition] / estimated - truth[partition] / all);
    }
    return differences / 2;
  }

  /** A sample, above 0 and at most all of the producers, at equal distances, as in the runtime. */
  public static int[] sample(double rate, int tasks) {
    int count = Math.min(tasks, Math.max(LEAST_SAMPLE, (int) Math.ceil(rate * tasks)));
    int[] sample = new int[count];
    for (int index = 0; index < count; index++) {
      sample[index] = (int) ((index + 0.5) * tasks / count);
    }
    return sample;
  }
}
