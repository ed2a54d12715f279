// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.compare.poolthroughput;

import dev.anemone.evaluation.lab.report.MarkdownTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The figures for people: all of them, and those of UCX beside its own program's. */
final class ThroughputTables {
  private static final String NONE = "-";

  private final ThroughputFigures figures;
  private final List<Integer> sizes;
  private final List<Integer> threads;

  ThroughputTables(ThroughputFigures figures, List<Integer> sizes, List<Integer> threads) {
    this.figures = figures;
    this.sizes = sizes;
    this.threads = threads;
  }

  /** A row for each size and number of threads, a column for each side, in MB/s. */
  MarkdownTable of(Direction direction) {
    List<String> sides =
        figures.sides().stream().filter(side -> !side.startsWith(PERFTEST)).toList();
    List<String> titles = new ArrayList<>(List.of(direction + ", MB/s", "threads"));
    titles.addAll(sides);
    MarkdownTable table = new MarkdownTable(titles.toArray(String[]::new));
    for (int bytes : sizes) {
      for (int count : threads) {
        List<String> cells = new ArrayList<>(List.of(size(bytes), Integer.toString(count)));
        sides.forEach(side -> cells.add(rate(figures.rate(side, direction, bytes, count))));
        table.row(cells.toArray(String[]::new));
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
            "operation",
            "UCX over",
            "1 thread MB/s",
            "best MB/s",
            "ucx_perftest MB/s",
            "1 thread / it",
            "best / it");
    for (Direction direction : Direction.values()) {
      for (int bytes : sizes) {
        for (String way : ThroughputSide.UCX_WAYS.keySet().stream().sorted().toList()) {
          OptionalDouble theirs = figures.rate(PERFTEST + way, direction, bytes, 1);
          OptionalDouble one = figures.rate("ucx/" + way, direction, bytes, 1);
          OptionalDouble best = figures.best("ucx/" + way, direction, bytes);
          table.row(
              direction + " " + size(bytes),
              way,
              rate(one),
              rate(best),
              rate(theirs),
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

  private static String rate(OptionalDouble bytesPerSecond) {
    return bytesPerSecond.isEmpty()
        ? NONE
        : String.format(Locale.ROOT, "%.0f", bytesPerSecond.getAsDouble() / 1e6);
  }

  private static String ratio(OptionalDouble ours, OptionalDouble theirs) {
    return ours.isEmpty() || theirs.isEmpty()
        ? NONE
        : String.format(Locale.ROOT, "%.2f", ours.getAsDouble() / theirs.getAsDouble());
  }
}
