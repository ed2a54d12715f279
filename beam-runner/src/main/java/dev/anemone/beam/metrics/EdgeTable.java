package dev.anemone.beam.metrics;

import dev.anemone.runtime.engine.EdgeCounters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What went over the edges of a job, for people: a line for each edge. */
public final class EdgeTable {

  private static final String NO_EDGES = "Nothing went between the stages of this job.\n";
  private static final List<String> TITLES =
      List.of(
          "edge",
          "records",
          "raw",
          "stored",
          "spills",
          "reads",
          "seeks",
          "pushed",
          "fallen back",
          "peak memory");

  private static final String GAP = "  ";

  /** Multiples of 1000. */
  private static final List<String> UNITS = List.of("kB", "MB", "GB", "TB", "PB", "EB");

  private static final double UNIT = 1000;

  /** From here on, rounding to whole units would show 1000 of one instead of 1.0 of the next. */
  private static final double NEXT_UNIT = 999.5;

  /** Below this, a digit behind the point tells more than it costs. */
  private static final double ROUNDED_TO_TENTHS = 99.95;

  private EdgeTable() {}

  /**
   * The table, a line break after every line. Bytes are in powers of 1000; {@code reads} are those
   * of local files, {@code seeks} the reads that did not go on where the one before had ended, and
   * {@code peak memory} is what one task had at most for the edge.
   *
   * @param edges by edge id, as {@link dev.anemone.runtime.engine.JobResult#edges()} gives them
   */
  public static String of(Map<String, EdgeCounters> edges) {
    if (edges.isEmpty()) {
      return NO_EDGES;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(TITLES);
    // Ids are a letter and a number, so the shorter one has the smaller number.
    edges.entrySet().stream()
        .sorted(
            Comparator.comparingInt((Map.Entry<String, EdgeCounters> e) -> firstId(e).length())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> rows.add(row(e.getKey(), e.getValue())));
    return format(rows);
  }

  private static String firstId(Map.Entry<String, EdgeCounters> entry) {
    String ids = entry.getKey();
    int plus = ids.indexOf('+');
    return plus < 0 ? ids : ids.substring(0, plus);
  }

  private static List<String> row(String edge, EdgeCounters counters) {
    return List.of(
        edge,
        count(counters.records()),
        bytes(counters.rawBytes()),
        bytes(counters.storedBytes()),
        count(counters.spills()),
        count(counters.diskReads()),
        count(counters.diskSeeks()),
        bytes(counters.pushedBytes()),
        bytes(counters.fallenBackBytes()),
        bytes(counters.memoryPeakBytes()));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number of bytes with three significant digits, such as {@code 2.1 GB}. */
  static String bytes(long bytes) {
    if (bytes < UNIT) {
      return bytes + " B";
    }
    double value = bytes / UNIT;
    int unit = 0;
    while (value >= NEXT_UNIT && unit < UNITS.size() - 1) {
      value /= UNIT;
      unit++;
    }
    String pattern = value < ROUNDED_TO_TENTHS ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, pattern, value, UNITS.get(unit));
  }

  private static String format(List<List<String>> rows) {
    int[] widths = new int[TITLES.size()];
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int column = 0; column < widths.length; column++) {
        String cell = row.get(column);
        String padding = " ".repeat(widths[column] - cell.length());
        text.append(column == 0 ? cell + padding : GAP + padding + cell);
      }
      text.append('\n');
    }
    return text.toString();
  }
}
