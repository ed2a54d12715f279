// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.lab.data;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A query's answer: a line of column names, and a line for each row. Immutable. */
public record Answer(List<String> lines) {
  /** Planners compute quotients with different numbers of digits. */
  private static final double RELATIVE_ERROR = 1e-6;

  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE]-?[0-9]+)?");

  public Answer {
    lines = List.copyOf(lines);
  }

  public static Answer read(Path file) throws IOException {
    return new Answer(Files.readAllLines(file));
  }

  /** Whether both have the same rows, in any order; numbers to a relative error of 1e-6. */
  public boolean isSameAs(Answer other) {
    return isSameAs(other, RELATIVE_ERROR);
  }

  /** Whether both have the same rows, in any order; numbers to a relative error. */
  public boolean isSameAs(Answer other, double relativeError) {
    if (lines.size() != other.lines.size() || !lines.get(0).equals(other.lines.get(0))) {
      return false;
    }
    List<String> rows = lines.stream().skip(1).sorted().toList();
    List<String> otherRows = other.lines.stream().skip(1).sorted().toList();
    for (int row = 0; row < rows.size(); row++) {
      if (!isSameRow(rows.get(row), otherRows.get(row), relativeError)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameRow(String row, String other, double relativeError) {
    if (row.equals(other)) {
      return true;
    }
    // A comma within a text divides it in both rows alike.
    String[] values = row.split(",", -1);
    String[] otherValues = other.split(",", -1);
    if (values.length != otherValues.length) {
      return false;
    }
    for (int column = 0; column < values.length; column++) {
      if (!isSameValue(values[column], otherValues[column], relativeError)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameValue(String value, String other, double relativeError) {
    if (value.equals(other)) {
      return true;
    }
    if (!NUMBER.matcher(value).matches() || !NUMBER.matcher(other).matches()) {
      return false;
    }
    double number = new BigDecimal(value).doubleValue();
    double difference = Math.abs(number - new BigDecimal(other).doubleValue());
    return difference <= Math.abs(number) * relativeError;
  }
}
