// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.process.ProcessCost;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The raw figures of sorts with less and less memory.
 *
 * @param bytes that were sorted each time
 * @param transport to the pool
 * @param sorts in the order in which they ran
 */
record SweepFigures(long bytes, String transport, List<Sort> sorts) {
  /**
   * Memory of an executor.
   *
   * @param heapMegabytes its -Xmx
   * @param offHeapMegabytes its direct memory
   */
  record MemoryPoint(int heapMegabytes, int offHeapMegabytes) {
    int megabytes() {
      return heapMegabytes + offHeapMegabytes;
    }

    /** Both, as they are given. */
    @Override
    public String toString() {
      return heapMegabytes + ":" + offHeapMegabytes;
    }
  }

  /**
   * One sort.
   *
   * @param side where its data between stages was
   * @param point memory that it had
   * @param outcome that it was right, or what went wrong
   * @param cost of the process
   */
  record Sort(String side, MemoryPoint point, Outcome outcome, ProcessCost cost) {}

  /** What became of a sort. */
  enum Outcome {
    SORTED,
    FAILED,
    KILLED
  }

  /** Median seconds at a point; empty when a sort of the side did not finish there. */
  OptionalDouble seconds(String side, MemoryPoint point) {
    List<Sort> there =
        sorts.stream().filter(sort -> sort.side.equals(side) && sort.point.equals(point)).toList();
    if (there.isEmpty() || there.stream().anyMatch(sort -> sort.outcome != Outcome.SORTED)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(Summary.of(there, sort -> sort.cost.wallSeconds()).median());
  }

  /** The least MB, heap and direct memory, with which every sort of a side finished. */
  OptionalInt leastMegabytes(String side) {
    return sorts.stream()
        .map(Sort::point)
        .distinct()
        .filter(point -> seconds(side, point).isPresent())
        .mapToInt(MemoryPoint::megabytes)
        .min();
  }
}
