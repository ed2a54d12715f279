// SPDX-License-Identifier: Apache-2.0
package dev.anemone.passes.skew;

import java.util.Arrays;

/**
 * The bytes of each task, and a heap of the tasks with the one that has least on top; of several
 * with equally much, the first one. Not thread-safe.
 */
final class TaskLoads {

  private final double[] loads;
  private final int[] heap;
  private int size;

  /** Tasks that have nothing yet. */
  TaskLoads(int tasks) {
    this.loads = new double[tasks];
    this.heap = new int[tasks];
    for (int task = 0; task < tasks; task++) {
      heap[task] = task;
    }
    this.size = tasks;
  }

  /** Gives bytes to each of the tasks that have least, and says which those are, ascending. */
  int[] add(double bytes, int count) {
    int[] least = new int[count];
    for (int i = 0; i < count; i++) {
      least[i] = heap[0];
      size--;
      heap[0] = heap[size];
      down(0);
    }
    for (int task : least) {
      loads[task] += bytes;
      heap[size] = task;
      up(size);
      size++;
    }
    Arrays.sort(least);
    return least;
  }

  /** Gives bytes to the task that has least, and says which one that is. */
  int add(double bytes) {
    int least = heap[0];
    loads[least] += bytes;
    down(0);
    return least;
  }

  /** Bytes of each task, not a copy. */
  double[] loads() {
    return loads;
  }

  /** Up to what tasks are filled that have least, if bytes are poured over them like water. */
  static double level(double[] loads, double bytes) {
    double[] sorted = loads.clone();
    Arrays.sort(sorted);
    double below = 0;
    double level = 0;
    for (int filled = 1; filled <= sorted.length; filled++) {
      below += sorted[filled - 1];
      level = (below + bytes) / filled;
      if (filled == sorted.length || level <= sorted[filled]) {
        break;
      }
    }
    return level;
  }

  double largest() {
    double largest = 0;
    for (double load : loads) {
      largest = Math.max(largest, load);
    }
    return largest;
  }

  private boolean before(int task, int other) {
    return loads[task] < loads[other] || (loads[task] == loads[other] && task < other);
  }

  private void down(int from) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        return;
      }
      if (child + 1 < size && before(heap[child + 1], heap[child])) {
        child++;
      }
      if (!before(heap[child], heap[at])) {
        return;
      }
      swap(at, child);
      at = child;
    }
  }

  private void up(int from) {
    int at = from;
    while (at > 0 && before(heap[at], heap[(at - 1) / 2])) {
      swap(at, (at - 1) / 2);
      at = (at - 1) / 2;
    }
  }

  private void swap(int one, int other) {
    int task = heap[one];
    heap[one] = heap[other];
    heap[other] = task;
  }
}
