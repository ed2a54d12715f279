// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds the partitions that are worth dividing, and into how many shares: first all that hold more
 * than a task should, then again and again the largest ones of the tasks that have most, one share
 * more each time, until the tasks are about even or nothing is gained any more.
 *
 * <p>What a division brings is estimated without drawing ranges: large partitions go to the task
 * that has least, largest first, and small ones fill up like water.
 */
final class DivisionSearch {

  /** Tasks are about even; what is left to gain is less than an estimate is wrong. */
  private static final double EVEN = 1.10;

  /** What a further division must leave of the largest task; each costs a read of other sides. */
  private static final double WORTHWHILE = 0.99;

  /** Partitions above this part of what a task should read are given out one by one. */
  private static final double LARGE = 1 / 16.0;

  private final double[] bytes;
  private final int tasks;
  private final DivisionMethod method;
  private final double fair;

  private DivisionSearch(double[] bytes, int tasks, DivisionMethod method) {
    this.bytes = bytes;
    this.tasks = tasks;
    this.method = method;
    this.fair = Arrays.stream(bytes).sum() / tasks;
  }

  /**
   * The partitions to divide, and into how many shares each.
   *
   * @param bytes of each partition
   * @param tasks of the consumer
   */
  static SortedMap<Integer, Integer> of(double[] bytes, int tasks, DivisionMethod method) {
    return new DivisionSearch(bytes, tasks, method).find();
  }

  /** What a task of the consumer has to read, with some partitions divided. */
  static Workload ofConsumer(double[] bytes, Map<Integer, Integer> divided, DivisionMethod method) {
    double[] shareBytes = bytes.clone();
    int[] shares = new int[bytes.length];
    Arrays.fill(shares, 1);
    divided.forEach(
        (partition, into) -> {
          shareBytes[partition] = method.consumerBytes(partition, into);
          shares[partition] = method.consumerTasks(into);
        });
    return new Workload(shareBytes, shares);
  }

  /** What the tasks that run ahead of the consumer have to read: shares of divided partitions. */
  static Workload ofAhead(int partitions, Map<Integer, Integer> divided, DivisionMethod method) {
    double[] shareBytes = new double[partitions];
    int[] shares = new int[partitions];
    divided.forEach(
        (partition, into) -> {
          shareBytes[partition] = method.aheadBytes(partition, into);
          shares[partition] = into;
        });
    return new Workload(shareBytes, shares);
  }

  private SortedMap<Integer, Integer> find() {
    Trial best = new Trial(new TreeMap<>());
    SortedMap<Integer, Integer> first = new TreeMap<>();
    for (int partition = 0; partition < bytes.length; partition++) {
      if (bytes[partition] > fair && method.mostShares(partition) > 1) {
        first.put(partition, method.firstShares(partition));
      }
    }
    if (!first.isEmpty()) {
      best = better(best, new Trial(first));
    }
    while (best.cost > EVEN * fair) {
      SortedMap<Integer, Integer> further = best.furtherDivided();
      Trial next = further.equals(best.divided) ? best : better(best, new Trial(further));
      if (next == best) {
        break;
      }
      best = next;
    }
    return best.divided;
  }

  private static Trial better(Trial best, Trial next) {
    return next.cost <= WORTHWHILE * best.cost ? next : best;
  }

  /** What comes of dividing some partitions. */
  private final class Trial {

    private final SortedMap<Integer, Integer> divided;
    private final Workload work;
    private final TaskLoads loads = new TaskLoads(tasks);

    /** For each task the largest partition that can be divided further; -1 if there is none. */
    private final int[] largestOf = new int[tasks];

    /** Bytes of the largest task of the consumer, and of the largest that runs ahead of it. */
    private final double cost;

    Trial(SortedMap<Integer, Integer> divided) {
      this.divided = divided;
      this.work = ofConsumer(bytes, divided, method);
      Arrays.fill(largestOf, -1);
      double rest = work.total();
      for (int partition : work.largerThan(LARGE * fair)) {
        rest -= work.shareBytes(partition) * work.shares(partition);
        place(partition);
      }
      this.cost =
          Math.max(loads.largest(), TaskLoads.level(loads.loads(), Math.max(0, rest)))
              + largestAhead();
    }

    private void place(int partition) {
      boolean more = divided.getOrDefault(partition, 1) < method.mostShares(partition);
      for (int task : loads.add(work.shareBytes(partition), work.shares(partition))) {
        if (more && largestOf[task] < 0) {
          largestOf[task] = partition;
        }
      }
    }

    private double largestAhead() {
      if (method.aheadTasks() == 0 || divided.isEmpty()) {
        return 0;
      }
      Workload ahead = ofAhead(bytes.length, divided, method);
      TaskLoads aheadLoads = new TaskLoads(method.aheadTasks());
      for (int partition : ahead.largerThan(0)) {
        aheadLoads.add(ahead.shareBytes(partition), ahead.shares(partition));
      }
      return aheadLoads.largest();
    }

    /** The largest partition of each of the tasks that have most gets a share more. */
    SortedMap<Integer, Integer> furtherDivided() {
      SortedMap<Integer, Integer> further = new TreeMap<>(divided);
      double[] filled = loads.loads();
      double most = loads.largest();
      for (int task = 0; task < tasks; task++) {
        if (filled[task] < WORTHWHILE * most) {
          continue;
        }
        int partition = largestOf[task];
        if (partition < 0) {
          return divided; // this task stays as it is, and so does the largest
        }
        int present = divided.getOrDefault(partition, 1);
        further.put(partition, present == 1 ? method.firstShares(partition) : present + 1);
      }
      return further;
    }
  }
}
