// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A table for people: columns as wide as they must be, the first one to the left, the others to the
 * right, a line break after every line.
 */
final class TextTable {

  private static final String GAP = "  ";

  /** Multiples of 1000. */
  private static final List<String> UNITS = List.of("kB", "MB", "GB", "TB", "PB", "EB");

  private static final double UNIT = 1000;

  /** From here on, rounding to whole units would show 1000 of one instead of 1.0 of the next. */
  private static final double NEXT_UNIT = 999.5;

  /** Below this, a digit behind the point tells more than it costs. */
  private static final double ROUNDED_TO_TENTHS = 99.95;

  private final List<List<String>> rows = new ArrayList<>();

  TextTable(List<String> titles) {
    rows.add(List.copyOf(titles));
  }

  /** Adds a row with a cell for each title. */
  void add(List<String> row) {
    if (row.size() != rows.get(0).size()) {
      throw new IllegalArgumentException(row + " does not fit below " + rows.get(0));
    }
    rows.add(List.copyOf(row));
  }

  /** The text. */
  String print() {
    int[] widths = new int[rows.get(0).size()];
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

  /** A number with a comma for thousands. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number of bytes with two or three significant digits, such as {@code 2.1 GB}. */
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
}
