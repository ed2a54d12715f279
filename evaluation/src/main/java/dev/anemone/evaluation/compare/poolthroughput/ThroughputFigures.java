// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.lab.remote.LoadProgram.Direction;
import dev.anemone.evaluation.lab.remote.PeerPair.ThroughputSide;
import dev.anemone.evaluation.lab.report.MarkdownTable;
import dev.anemone.evaluation.lab.report.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Rates in the order in which they were first measured, and why some were not. */
record ThroughputFigures(
    String persistentMemory, int window, List<String> notMeasured, List<Cell> cells) {
  record Cell(
      String side, Direction direction, int bytes, int threads, List<Double> bytesPerSecond) {
    double median() {
      return Summary.of(bytesPerSecond).median();
    }
  }

  List<String> sides() {
    return cells.stream().map(Cell::side).distinct().toList();
  }

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

  /** The figures for people: all of them, and those of UCX beside its own program's. */
  record ThroughputTables(ThroughputFigures figures, List<Integer> sizes, List<Integer> threads) {
    /** A row for each size and number of threads, a column for each side, in MB/s. */
    MarkdownTable of(Direction direction) {
      List<String> sides =
          figures.sides().stream().filter(side -> !side.startsWith(PERFTEST)).toList();
      List<String> titles = new ArrayList<>(List.of(direction + ", MB/s", "threads"));
      sides.forEach(side -> titles.add(side + "|%.0f"));
      MarkdownTable table = new MarkdownTable(titles);
      for (int bytes : sizes) {
        for (int count : threads) {
          List<Object> cells = new ArrayList<>(List.of(size(bytes), count));
          sides.forEach(side -> cells.add(megabytes(figures.rate(side, direction, bytes, count))));
          table.row(cells.toArray());
        }
      }
      return table;
    }

    /** How the tables name UCX's own program, before what it may use. */
    static final String PERFTEST = "ucx_perftest/";

    /** The transport over UCX, with one thread and with as many as are best, beside UCX alone. */
    MarkdownTable besidePerftest() {
      MarkdownTable table =
          new MarkdownTable(
              "operation; UCX over; 1 thread MB/s|%.0f; best MB/s|%.0f; "
                  + "ucx_perftest MB/s|%.0f; 1 thread / it|%.2f; best / it|%.2f");
      for (Direction direction : Direction.values()) {
        for (int bytes : sizes) {
          for (String way : ThroughputSide.UCX_WAYS.keySet().stream().sorted().toList()) {
            OptionalDouble theirs = figures.rate(PERFTEST + way, direction, bytes, 1);
            OptionalDouble one = figures.rate("ucx/" + way, direction, bytes, 1);
            OptionalDouble best = figures.best("ucx/" + way, direction, bytes);
            table.row(
                direction + " " + size(bytes),
                way,
                megabytes(one),
                megabytes(best),
                megabytes(theirs),
                ratio(one, theirs),
                ratio(best, theirs));
          }
        }
      }
      return table;
    }

    private static String size(int bytes) {
      return bytes >= 1 << 20 ? (bytes >> 20) + " MB" : (bytes >> 10) + " KB";
    }

    private static OptionalDouble megabytes(OptionalDouble bytesPerSecond) {
      return ratio(bytesPerSecond, OptionalDouble.of(1e6));
    }

    private static OptionalDouble ratio(OptionalDouble ours, OptionalDouble theirs) {
      return ours.isEmpty() || theirs.isEmpty()
          ? OptionalDouble.empty()
          : OptionalDouble.of(ours.getAsDouble() / theirs.getAsDouble());
    }
  }
}
