// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Gives partitions to tasks such that the task with most bytes has as few as possible, and the
 * tasks have few ranges.
 *
 * <p>Several ways are tried. In each, partitions above a threshold, and the shares of those that
 * are divided, go to the task that has least, largest first (Graham, <i>Bounds on Multiprocessing
 * Timing Anomalies</i>, 1969); the others go to one task after the other in the order of their
 * numbers, each up to the lowest limit with which all of them find a place. With the highest
 * threshold, what a task should read, that is the best way to cut the partitions into contiguous
 * runs, but for those that are too large anyway; with one of zero it is Graham's rule alone, whose
 * largest task is at most a third above the best possible one, but which makes a range of almost
 * every partition. Taken is the way with the fewest ranges of those that come within {@link
 * #TOLERANCE} of the best one. Tasks with a single share do not count in that: nothing makes them
 * smaller, and the others are to be even all the same.
 *
 * <p>Equal workloads get equal ranges. A million partitions and a thousand tasks take about a
 * second.
 */
final class RangeDrawing {

  /** How much worse than the best way a way with fewer ranges may be. */
  static final double TOLERANCE = 1.02;

  /** Thresholds in parts of what each task would have to read if all had the same. */
  private static final double[] THRESHOLDS = {1, 1 / 4.0, 1 / 16.0, 1 / 64.0, 0};

  /** Precision of the search for the limit. */
  private static final double PRECISION = 1e-4;

  private final Workload work;
  private final int tasks;
  private final double fair;

  private RangeDrawing(Workload work, int tasks) {
    this.work = work;
    this.tasks = tasks;
    this.fair = work.total() / tasks;
  }

  /**
   * Draws ranges.
   *
   * @param work no partition may have more shares than there are tasks
   * @param tasks at least 1
   */
  static TaskRanges draw(Workload work, int tasks) {
    return new RangeDrawing(work, tasks).draw();
  }

  /**
   * A way to give partitions to tasks.
   *
   * @param ranges of the tasks
   * @param largest bytes of the largest task that reads several shares
   * @param least bytes that the largest of these tasks has at least, if the large partitions lie
   *     where they do
   */
  private record Way(TaskRanges ranges, double largest, double least) {}

  private TaskRanges draw() {
    List<Way> ways = new ArrayList<>();
    double best = Double.POSITIVE_INFINITY;
    for (double threshold : THRESHOLDS) {
      Way way = way(threshold * fair);
      ways.add(way);
      best = Math.min(best, way.largest());
      if (best <= TOLERANCE * ways.get(0).least()) {
        break; // those that follow have more ranges, and are not much better
      }
    }
    TaskRanges chosen = null;
    for (Way way : ways) {
      boolean close = way.largest() <= TOLERANCE * best;
      if (close && (chosen == null || way.ranges().ranges() < chosen.ranges())) {
        chosen = way.ranges();
      }
    }
    return chosen;
  }

  private Way way(double threshold) {
    TaskLoads loads = new TaskLoads(tasks);
    int[] taskOf = new int[work.partitions()];
    Arrays.fill(taskOf, TaskRanges.NONE);
    Map<Integer, int[]> sharers = new TreeMap<>();
    for (int partition : work.largerThan(threshold)) {
      if (work.shares(partition) == 1) {
        taskOf[partition] = loads.add(work.shareBytes(partition));
      } else {
        sharers.put(partition, loads.add(work.shareBytes(partition), work.shares(partition)));
      }
    }
    double least = least(threshold, loads.loads());
    fill(threshold, limit(threshold, least, loads.loads()), loads.loads(), taskOf);
    TaskRanges ranges = new TaskRanges(taskOf, sharers, loads.loads());
    return new Way(ranges, largestOfSeveral(ranges), least);
  }

  private double largestOfSeveral(TaskRanges ranges) {
    int[] shares = new int[tasks];
    for (int task : ranges.taskOf()) {
      if (task != TaskRanges.NONE) {
        shares[task]++;
      }
    }
    for (int[] sharing : ranges.sharers().values()) {
      for (int task : sharing) {
        shares[task]++;
      }
    }
    double largest = 0;
    for (int task = 0; task < tasks; task++) {
      if (shares[task] > 1) {
        largest = Math.max(largest, ranges.loads()[task]);
      }
    }
    return largest;
  }

  /** Up to what tasks were filled, if small partitions could be divided at will. */
  private double least(double threshold, double[] loads) {
    double small = 0;
    for (int partition = 0; partition < work.partitions(); partition++) {
      if (isSmall(partition, threshold)) {
        small += work.shareBytes(partition);
      }
    }
    return TaskLoads.level(loads, small);
  }

  /** The lowest limit up to which tasks can be filled so that all partitions find a place. */
  private double limit(double threshold, double least, double[] loads) {
    if (fits(threshold, least, loads)) {
      return least;
    }
    double largestSmall = 0;
    for (int partition = 0; partition < work.partitions(); partition++) {
      if (isSmall(partition, threshold)) {
        largestSmall = Math.max(largestSmall, work.shareBytes(partition));
      }
    }
    // No task that is below this stays so by more than the largest partition; all find a place.
    double enough = least + largestSmall;
    double tooLow = least;
    while (enough - tooLow > PRECISION * least) {
      double middle = (tooLow + enough) / 2;
      if (fits(threshold, middle, loads)) {
        enough = middle;
      } else {
        tooLow = middle;
      }
    }
    return enough;
  }

  private boolean isSmall(int partition, double threshold) {
    return work.shares(partition) == 1 && !work.isLarge(partition, threshold);
  }

  private boolean fits(double threshold, double limit, double[] loads) {
    int task = 0;
    double load = loads[0];
    for (int partition = 0; partition < work.partitions(); partition++) {
      if (!isSmall(partition, threshold)) {
        continue;
      }
      double bytes = work.shareBytes(partition);
      while (load + bytes > limit) {
        task++;
        if (task == tasks) {
          return false;
        }
        load = loads[task];
      }
      load += bytes;
    }
    return true;
  }

  /** Fills the tasks; the last one takes what the others leave. */
  private void fill(double threshold, double limit, double[] loads, int[] taskOf) {
    int task = 0;
    for (int partition = 0; partition < taskOf.length; partition++) {
      if (isSmall(partition, threshold)) {
        double bytes = work.shareBytes(partition);
        while (task < tasks - 1 && loads[task] + bytes > limit) {
          task++;
        }
        loads[task] += bytes;
        taskOf[partition] = task;
      }
    }
  }
}
