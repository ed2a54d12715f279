// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell.rows;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.values.Row;

/** Prints rows as a table: a line of names, a rule, one line per row, numbers to the right. */
public final class AlignedTable {
  private AlignedTable() {}

  /** Formats rows of one schema; each line ends with a line feed. */
  public static String format(Schema schema, List<Row> rows) {
    int columns = schema.getFieldCount();
    List<String[]> cells = new ArrayList<>(rows.size() + 1);
    cells.add(schema.getFieldNames().toArray(new String[0]));
    for (Row row : rows) {
      String[] line = new String[columns];
      for (int column = 0; column < columns; column++) {
        line[column] = text(row.getValue(column));
      }
      cells.add(line);
    }
    int[] widths = new int[columns];
    for (String[] line : cells) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], line[column].length());
      }
    }
    StringBuilder table = new StringBuilder();
    for (int line = 0; line < cells.size(); line++) {
      appendLine(table, schema, cells.get(line), widths);
      if (line == 0) {
        appendRule(table, widths);
      }
    }
    return table.toString();
  }

  /** A value as a cell. */
  public static String text(Object value) {
    if (value == null) {
      return "NULL";
    }
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
  }

  private static void appendLine(StringBuilder table, Schema schema, String[] line, int[] widths) {
    int start = table.length();
    for (int column = 0; column < line.length; column++) {
      String gap = column == 0 ? "" : "  ";
      String padding = " ".repeat(widths[column] - line[column].length());
      table.append(gap);
      if (isNumber(schema.getField(column))) {
        table.append(padding).append(line[column]);
      } else {
        table.append(line[column]).append(padding);
      }
    }
    endLine(table, start);
  }

  private static void appendRule(StringBuilder table, int[] widths) {
    for (int column = 0; column < widths.length; column++) {
      table.append(column == 0 ? "" : "  ").append("-".repeat(widths[column]));
    }
    table.append('\n');
  }

  private static void endLine(StringBuilder table, int start) {
    int end = table.length();
    while (end > start && table.charAt(end - 1) == ' ') {
      end--;
    }
    table.setLength(end);
    table.append('\n');
  }

  private static boolean isNumber(Field field) {
    return field.getType().getTypeName().isNumericType();
  }
}
