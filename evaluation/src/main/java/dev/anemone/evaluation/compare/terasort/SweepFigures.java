// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.terasort;

import dev.anemone.evaluation.lab.report.Machine;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The raw figures of the sweep, as they are written to a file.
 *
 * @param started when, in ISO 8601
 * @param machine that was measured on
 * @param loadBefore programs that ran or waited in the minute before; negative if not known
 * @param bytes that were sorted each time
 * @param transport to the pool
 * @param sorts in the order in which they ran
 */
record SweepFigures(
    String started,
    Machine machine,
    double loadBefore,
    long bytes,
    String transport,
    List<Sort> sorts) {

  /**
   * One sort.
   *
   * @param side where its data between stages was
   * @param point memory that it had
   * @param outcome that it was right, or what went wrong
   * @param seconds of the process
   * @param peakResidentBytes the most RAM that it had
   */
  record Sort(
      String side,
      SweepPlan.MemoryPoint point,
      Outcome outcome,
      double seconds,
      long peakResidentBytes) {}

  /** What became of a sort. */
  enum Outcome {
    SORTED,
    FAILED,
    KILLED
  }

  /** Median seconds at a point; empty when a sort of the side did not finish there. */
  OptionalDouble seconds(String side, SweepPlan.MemoryPoint point) {
    List<Sort> there =
        sorts.stream().filter(sort -> sort.side.equals(side) && sort.point.equals(point)).toList();
    if (there.isEmpty() || there.stream().anyMatch(sort -> sort.outcome != Outcome.SORTED)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        Summary.of(there.stream().mapToDouble(Sort::seconds).toArray()).median());
  }

  /** The least MB, heap and direct memory, with which every sort of a side finished. */
  OptionalInt leastMegabytes(String side) {
    return sorts.stream()
        .map(Sort::point)
        .distinct()
        .filter(point -> seconds(side, point).isPresent())
        .mapToInt(SweepPlan.MemoryPoint::megabytes)
        .min();
  }
}
