// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.text;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads a line by commons-csv and by Java's parsers of numbers, and writes what it read so that
 * nobody can take it for anything else.
 */
final class LineRows {

  /** Characters of a value that a message repeats. */
  private static final int LONGEST = 60;

  private static final int LAST_YEAR = 9999;

  private final RowType columns;
  private final TextDialect dialect;

  LineRows(RowType columns, TextDialect dialect) {
    this.columns = columns;
    this.dialect = dialect;
  }

  /**
   * The rows of a line, each with a line end: one, or none.
   *
   * @throws BadLineException when it is not as the table says
   */
  String written(String line, long number, String lineEnd) throws BadLineException {
    // An empty line is a record only where its end is seen, and where the dialect has those.
    String record = line + dialect.format().getRecordSeparator();
    StringBuilder written = new StringBuilder(line.length() + 2 * columns.fields().size());
    try (CSVParser parser = CSVParser.parse(record, dialect.format())) {
      for (CSVRecord values : parser.getRecords()) {
        append(values, number, written);
        written.append(lineEnd);
      }
    } catch (IOException | IllegalStateException e) {
      throw new BadLineException(number, "it is no line of CSV: " + e.getMessage(), e);
    }
    return written.toString();
  }

  private void append(CSVRecord values, long number, StringBuilder written)
      throws BadLineException {
    int expected = columns.fields().size();
    if (values.size() != expected) {
      throw new BadLineException(
          number,
          "it has " + values.size() + " values, and the table " + expected + " columns",
          null);
    }
    for (int i = 0; i < expected; i++) {
      Field field = columns.fields().get(i);
      Optional<String> value;
      try {
        value = value(field.type().type(), values.get(i));
      } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
        throw new BadLineException(
            number,
            "column "
                + field.name()
                + " is "
                + field.type().type()
                + ", not "
                + shown(values.get(i)),
            e);
      }
      if (value.isEmpty() && !field.type().nullable()) {
        throw new BadLineException(
            number, "column " + field.name() + " has no value, and is NOT NULL", null);
      }
      written.append(i == 0 ? "" : dialect.delimiter());
      boolean text = field.type().type() == SimpleType.STRING;
      written.append(value.map(v -> text ? quoted(v) : v).orElse(dialect.nullText().orElse("")));
    }
  }

  private static Optional<String> value(DataType type, String text) {
    if (text == null) {
      return Optional.empty();
    }
    if (type == SimpleType.STRING) {
      return Optional.of(text);
    }
    if (text.isBlank()) {
      return Optional.empty();
    }
    if (type instanceof DecimalType decimal) {
      BigDecimal number = new BigDecimal(text).setScale(decimal.scale(), RoundingMode.UNNECESSARY);
      if (number.precision() > decimal.precision()) {
        throw new ArithmeticException("too many digits");
      }
      return Optional.of(number.toPlainString());
    }
    return Optional.of(
        switch ((SimpleType) type) {
          case INT32 -> Integer.valueOf(text).toString();
          case INT64 -> Long.valueOf(text).toString();
          case DOUBLE -> Double.valueOf(text).toString();
          case DATE -> date(text);
          case BOOLEAN -> bool(text);
          case STRING, TIMESTAMP -> throw new IllegalArgumentException("no values of " + type);
        });
  }

  private static String date(String text) {
    LocalDate date = LocalDate.parse(text);
    if (date.getYear() < 1 || date.getYear() > LAST_YEAR) {
      throw new DateTimeException("a year of four digits is needed");
    }
    return date.toString();
  }

  private static String bool(String text) {
    boolean value = Boolean.parseBoolean(text);
    if (!value && !text.equalsIgnoreCase("false")) {
      throw new IllegalArgumentException("true or false is needed");
    }
    return String.valueOf(value);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  private static String shown(String text) {
    return "'" + (text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text) + "'";
  }
}
