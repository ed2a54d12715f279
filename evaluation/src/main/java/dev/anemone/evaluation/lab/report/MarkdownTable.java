// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A table that reads well in a terminal and can be pasted into a Markdown file. The first column is
 * aligned to the left, the others, which hold figures, to the right. Not thread-safe.
 */
public final class MarkdownTable {
  private static final String NO_FIGURE = "-";

  private final List<String> formats = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Starts a table.
   *
   * @param columns their titles, divided by semicolons, each followed by {@code |} and the form of
   *     its numbers where that is another one than their own, such as {@code median s|%.2f}
   */
  public MarkdownTable(String columns) {
    this(List.of(columns.split("; ", -1)));
  }

  /** The same for columns that are not known before. */
  public MarkdownTable(List<String> columns) {
    List<String> titles = new ArrayList<>();
    for (String column : columns) {
      int bar = column.indexOf('|');
      titles.add(bar < 0 ? column : column.substring(0, bar));
      formats.add(bar < 0 ? "%s" : column.substring(bar + 1));
    }
    rows.add(titles);
  }

  /**
   * Adds a row.
   *
   * @param cells texts, which stay as they are, and numbers; an empty optional gives a hyphen, and
   *     a {@link Summary} fills three columns: median, least, most
   * @throws IllegalArgumentException if it has another number of cells than the table has columns
   */
  public MarkdownTable row(Object... cells) {
    List<Object> flat =
        Arrays.stream(cells)
            .flatMap(
                cell ->
                    cell instanceof Summary sum
                        ? Stream.<Object>of(sum.median(), sum.min(), sum.max())
                        : Stream.of(cell))
            .toList();
    if (flat.size() != formats.size()) {
      throw new IllegalArgumentException(
          "A row of " + flat.size() + " cells in a table of " + formats.size() + " columns.");
    }
    List<String> row = new ArrayList<>();
    for (int column = 0; column < flat.size(); column++) {
      String format = formats.get(column);
      row.add(
          figure(flat.get(column))
              .map(cell -> cell instanceof String text ? text : text(format, cell))
              .orElse(NO_FIGURE));
    }
    rows.add(row);
    return this;
  }

  private static Optional<?> figure(Object cell) {
    if (cell instanceof OptionalDouble number) {
      return number.isPresent() ? Optional.of(number.getAsDouble()) : Optional.empty();
    }
    if (cell instanceof OptionalInt number) {
      return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }
    return Optional.of(cell);
  }

  private static String text(String format, Object number) {
    return String.format(Locale.ROOT, format, number);
  }

  /** The table, a line break after every row. */
  @Override
  public String toString() {
    int[] widths = new int[formats.size()];
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
        text.append("| ").append(column == 0 ? cell + padding : padding + cell).append(' ');
      }
      text.append("|\n");
      if (row == rows.get(0)) {
        appendRule(text, widths);
      }
    }
    return text.toString();
  }

  private static void appendRule(StringBuilder text, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      text.append('|').append("-".repeat(widths[column] + 1)).append(column == 0 ? '-' : ':');
    }
    text.append("|\n");
  }
}
