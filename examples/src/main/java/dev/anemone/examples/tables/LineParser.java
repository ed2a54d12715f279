// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.stream.IntStream;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;

/**
 * Parses the bytes of a line of a data file into the values of some of its columns. Columns that
 * are not asked for are skipped without creating anything, and what follows the last one that is
 * asked for is not looked at. An empty text is NULL where that may be. The values of dates, of
 * small decimals and of one-letter flags are shared.
 *
 * <p>Thread-safe; not serializable, build one where it is used.
 */
final class LineParser {
  private enum Kind {
    INT32,
    INT64,
    DECIMAL,
    DATE,
    STRING
  }

  private static final byte SEPARATOR = '|';
  private static final int FIRST_YEAR = 1992;
  private static final int YEARS = 12;
  private static final int DATE_LENGTH = 10;
  private static final int MAXIMUM_DIGITS = 18;
  private static final LocalDate[] DATES = new LocalDate[YEARS * 12 * 31];
  private static final String[] LETTERS = new String[128];

  /** Discounts, taxes and quantities have values below this one only, without their point. */
  private static final int SMALL_DECIMALS = 128;

  private static final int SMALL_SCALES = 3;
  private static final BigDecimal[][] DECIMALS = new BigDecimal[SMALL_SCALES][SMALL_DECIMALS];

  static {
    LocalDate end = LocalDate.of(FIRST_YEAR + YEARS, 1, 1);
    for (LocalDate day = LocalDate.of(FIRST_YEAR, 1, 1); day.isBefore(end); day = day.plusDays(1)) {
      DATES[index(day.getYear(), day.getMonthValue(), day.getDayOfMonth())] = day;
    }
    for (char letter = 0; letter < LETTERS.length; letter++) {
      LETTERS[letter] = String.valueOf(letter);
    }
    for (int scale = 0; scale < SMALL_SCALES; scale++) {
      for (int unscaled = 0; unscaled < SMALL_DECIMALS; unscaled++) {
        DECIMALS[scale][unscaled] = BigDecimal.valueOf(unscaled, scale);
      }
    }
  }

  private final DataTable table;
  private final Schema schema;

  /** The wanted columns, in the order of the file. */
  private final int[] columns;

  /** For each column of the file up to the last that is needed: where it goes, or -1. */
  private final int[] targets;

  private final Kind[] kinds;
  private final boolean[] nullable;

  /**
   * A parser for some columns.
   *
   * @param schema the wanted columns of the table, in any order
   */
  LineParser(DataTable table, Schema schema) {
    this.table = table;
    this.schema = schema;
    int last = -1;
    for (Field field : schema.getFields()) {
      last = Math.max(last, table.schema().indexOf(field.getName()));
    }
    targets = new int[last + 1];
    kinds = new Kind[last + 1];
    nullable = new boolean[last + 1];
    for (int column = 0; column <= last; column++) {
      Field field = table.schema().getField(column);
      targets[column] = schema.hasField(field.getName()) ? schema.indexOf(field.getName()) : -1;
      kinds[column] = kind(field);
      nullable[column] = field.getType().getNullable();
    }
    columns = IntStream.range(0, targets.length).filter(i -> targets[i] >= 0).toArray();
  }

  private static Kind kind(Field field) {
    if (field.getType().isLogicalType(SqlTypes.DATE.getIdentifier())) {
      return Kind.DATE;
    }
    return switch (field.getType().getTypeName()) {
      case INT32 -> Kind.INT32;
      case INT64 -> Kind.INT64;
      case DECIMAL -> Kind.DECIMAL;
      case STRING -> Kind.STRING;
      default -> throw new IllegalArgumentException("No data file has a column like " + field);
    };
  }

  /**
   * Parses a line.
   *
   * @param start index of its first byte
   * @param end index behind its last byte, that of the line feed
   * @throws IllegalArgumentException if the line is not one of the table; the message names the
   *     table, the column and the line
   */
  Row parse(byte[] bytes, int start, int end) {
    Object[] values = new Object[schema.getFieldCount()];
    int from = start;
    int next = 0;
    for (int column : columns) {
      from = ByteSearch.behind(SEPARATOR, column - next, bytes, from, end);
      if (from > end) {
        throw malformed(
            bytes, start, end, ByteSearch.count(SEPARATOR, bytes, start, end) + 1, null);
      }
      int to = ByteSearch.indexOf(SEPARATOR, bytes, from, end);
      try {
        values[targets[column]] =
            from == to && nullable[column] ? null : value(kinds[column], bytes, from, to);
      } catch (RuntimeException notAValue) {
        throw malformed(bytes, start, end, column, notAValue);
      }
      from = to + 1;
      next = column + 1;
    }
    return Row.withSchema(schema).attachValues(values);
  }

  /** How many columns a line has: the separator behind the last one may be missing. */
  static int columns(String line) {
    int columns = 0;
    for (int start = 0; start < line.length(); columns++) {
      int separator = line.indexOf(SEPARATOR, start);
      start = separator < 0 ? line.length() : separator + 1;
    }
    return columns;
  }

  private static Object value(Kind kind, byte[] bytes, int start, int end) {
    return switch (kind) {
      case INT32 -> Integer.valueOf(Math.toIntExact(integer(bytes, start, end)));
      case INT64 -> Long.valueOf(integer(bytes, start, end));
      case DECIMAL -> decimal(bytes, start, end);
      case DATE -> date(bytes, start, end);
      case STRING -> text(bytes, start, end);
    };
  }

  private static long integer(byte[] bytes, int start, int end) {
    if (end - start > MAXIMUM_DIGITS || start == end) {
      return Long.parseLong(text(bytes, start, end));
    }
    long value = 0;
    for (int i = start; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return Long.parseLong(text(bytes, start, end));
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static BigDecimal decimal(byte[] bytes, int start, int end) {
    if (end - start > MAXIMUM_DIGITS || start == end) {
      return new BigDecimal(text(bytes, start, end));
    }
    boolean negative = bytes[start] == '-';
    long unscaled = 0;
    int scale = 0;
    boolean fraction = false;
    boolean digits = false;
    for (int i = negative ? start + 1 : start; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit >= 0 && digit <= 9) {
        unscaled = unscaled * 10 + digit;
        scale += fraction ? 1 : 0;
        digits = true;
      } else if (bytes[i] == '.' && !fraction) {
        fraction = true;
      } else {
        return new BigDecimal(text(bytes, start, end));
      }
    }
    if (!digits) {
      throw new NumberFormatException("Not a number: " + text(bytes, start, end));
    }
    return unscaled < SMALL_DECIMALS && scale < SMALL_SCALES && !negative
        ? DECIMALS[scale][(int) unscaled]
        : BigDecimal.valueOf(negative ? -unscaled : unscaled, scale);
  }

  private static LocalDate date(byte[] bytes, int start, int end) {
    if (end - start != DATE_LENGTH || bytes[start + 4] != '-' || bytes[start + 7] != '-') {
      return LocalDate.parse(text(bytes, start, end));
    }
    int year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2);
    int month = twoDigits(bytes, start + 5);
    int day = twoDigits(bytes, start + 8);
    int index = index(year, month, day);
    boolean known =
        month >= 1 && month <= 12 && day >= 1 && day <= 31 && index >= 0 && index < DATES.length;
    LocalDate date = known ? DATES[index] : null;
    return date != null ? date : LocalDate.of(year, month, day);
  }

  private static int twoDigits(byte[] bytes, int start) {
    int tens = bytes[start] - '0';
    int units = bytes[start + 1] - '0';
    if (tens < 0 || tens > 9 || units < 0 || units > 9) {
      throw new NumberFormatException("Not two digits: " + text(bytes, start, start + 2));
    }
    return tens * 10 + units;
  }

  private static int index(int year, int month, int day) {
    return ((year - FIRST_YEAR) * 12 + month - 1) * 31 + day - 1;
  }

  private static String text(byte[] bytes, int start, int end) {
    if (end - start == 1 && bytes[start] >= 0) {
      return LETTERS[bytes[start]];
    }
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }

  private IllegalArgumentException malformed(
      byte[] bytes, int start, int end, int column, Throwable cause) {
    return new IllegalArgumentException(
        "A line of table "
            + table.tableName()
            + " has no valid value for column "
            + table.schema().getField(column).getName()
            + ": "
            + text(bytes, start, end),
        cause);
  }
}
