// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.lab.report.Summary;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The raw figures of the experiment.
 *
 * @param persistentMemory what the memory called PMEM is
 * @param window operations that a thread has under way
 * @param notMeasured sides that do not work here, and why
 * @param cells in the order in which they were first measured
 */
record ThroughputFigures(
    String persistentMemory, int window, List<String> notMeasured, List<Cell> cells) {
  /**
   * One figure.
   *
   * @param side its name
   * @param direction of the bytes
   * @param bytes of an operation
   * @param threads of the client
   * @param bytesPerSecond of each round
   */
  record Cell(
      String side, Direction direction, int bytes, int threads, List<Double> bytesPerSecond) {

    double median() {
      return Summary.of(bytesPerSecond).median();
    }
  }

  /** The names of all that was measured, in its order. */
  List<String> sides() {
    return cells.stream().map(Cell::side).distinct().toList();
  }

  /** The median rate, if it was measured. */
  OptionalDouble rate(String side, Direction direction, int bytes, int threads) {
    return cells.stream()
        .filter(cell -> cell.side.equals(side) && cell.direction == direction)
        .filter(cell -> cell.bytes == bytes && cell.threads == threads)
        .mapToDouble(Cell::median)
        .findFirst();
  }

  /** The largest median rate over all numbers of threads, if any was measured. */
  OptionalDouble best(String side, Direction direction, int bytes) {
    return cells.stream()
        .filter(cell -> cell.side.equals(side) && cell.direction == direction)
        .filter(cell -> cell.bytes == bytes)
        .mapToDouble(Cell::median)
        .max();
  }
}
