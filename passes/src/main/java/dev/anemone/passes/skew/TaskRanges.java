// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import dev.anemone.ir.partition.HashRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Which task reads which partition. Immutable, though it shares its arrays with whoever made it.
 */
final class TaskRanges {

  static final int NONE = -1;

  private final int[] taskOf;
  private final Map<Integer, int[]> sharers;
  private final double[] loads;

  /**
   * Ranges of tasks.
   *
   * @param taskOf the task of each partition; {@link #NONE} for those that are divided or not read
   * @param sharers for each partition that is divided the tasks that read a share of it, ascending
   * @param loads bytes of each task
   */
  TaskRanges(int[] taskOf, Map<Integer, int[]> sharers, double[] loads) {
    this.taskOf = taskOf;
    this.sharers = sharers;
    this.loads = loads;
  }

  /** The task of each partition, or {@link #NONE}. */
  int[] taskOf() {
    return taskOf;
  }

  /** The tasks that read a share of a partition, for each that is divided. */
  Map<Integer, int[]> sharers() {
    return sharers;
  }

  /** Bytes of each task. */
  double[] loads() {
    return loads;
  }

  double largest() {
    return Arrays.stream(loads).max().orElse(0);
  }

  /** The same ranges, with the bytes that another workload of the same shares has in them. */
  TaskRanges of(Workload work) {
    double[] other = new double[loads.length];
    for (int partition = 0; partition < taskOf.length; partition++) {
      if (taskOf[partition] != NONE) {
        other[taskOf[partition]] += work.shareBytes(partition);
      }
    }
    sharers.forEach(
        (partition, tasks) -> {
          for (int task : tasks) {
            other[task] += work.shareBytes(partition);
          }
        });
    return new TaskRanges(taskOf, sharers, other);
  }

  /** In how many pieces a task reads a run of neighbouring partitions, over all tasks. */
  int ranges() {
    int ranges = sharers.values().stream().mapToInt(tasks -> tasks.length).sum();
    int before = NONE;
    for (int task : taskOf) {
      if (task != before && task != NONE) {
        ranges++;
      }
      before = task;
    }
    return ranges;
  }

  /** The same with tasks numbered by falling bytes. */
  TaskRanges byFallingBytes() {
    int[] order =
        IntStream.range(0, loads.length)
            .boxed()
            .sorted(
                Comparator.comparing((Integer task) -> -loads[task]).thenComparing(task -> task))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] number = new int[loads.length];
    double[] sorted = new double[loads.length];
    for (int i = 0; i < order.length; i++) {
      number[order[i]] = i;
      sorted[i] = loads[order[i]];
    }
    int[] renumbered =
        Arrays.stream(taskOf).map(task -> task == NONE ? NONE : number[task]).toArray();
    Map<Integer, int[]> renumberedSharers = new TreeMap<>();
    sharers.forEach(
        (partition, tasks) ->
            renumberedSharers.put(
                partition, Arrays.stream(tasks).map(task -> number[task]).sorted().toArray()));
    return new TaskRanges(renumbered, renumberedSharers, sorted);
  }

  /** For each task the ranges of the partitions that are chosen. A divided one is a range alone. */
  List<List<HashRange>> perTask(IntPredicate chosen) {
    List<List<HashRange>> perTask = new ArrayList<>();
    for (int task = 0; task < loads.length; task++) {
      perTask.add(new ArrayList<>());
    }
    for (int from = 0; from < taskOf.length; ) {
      int task = taskOf[from];
      int to = from + 1;
      if (!chosen.test(from)) {
        from = to;
        continue;
      }
      if (task == NONE) {
        for (int sharer : sharers.getOrDefault(from, new int[0])) {
          perTask.get(sharer).add(new HashRange(from, to));
        }
      } else {
        while (to < taskOf.length && taskOf[to] == task && chosen.test(to)) {
          to++;
        }
        perTask.get(task).add(new HashRange(from, to));
      }
      from = to;
    }
    return perTask;
  }
}
