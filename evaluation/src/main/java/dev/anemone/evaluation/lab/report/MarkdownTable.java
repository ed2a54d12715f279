// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table that reads well in a terminal and can be pasted into a Markdown file. The first column is
 * aligned to the left, the others, which hold figures, to the right. Not thread-safe.
 */
public final class MarkdownTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** Starts a table with its column titles. */
  public MarkdownTable(String... titles) {
    rows.add(List.of(titles));
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException if it has another number of cells than the table has columns
   */
  public MarkdownTable row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "A row of " + cells.length + " cells in a table of " + rows.get(0).size() + " columns.");
    }
    rows.add(List.of(cells));
    return this;
  }

  /** The table, a line break after every row. */
  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < columns; column++) {
        String cell = rows.get(row).get(column);
        String padding = " ".repeat(widths[column] - cell.length());
        text.append("| ").append(column == 0 ? cell + padding : padding + cell).append(' ');
      }
      text.append("|\n");
      if (row == 0) {
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
