package dev.anemone.examples.tpch;

import java.math.BigDecimal;
import java.time.LocalDate;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.logicaltypes.SqlTypes;
import org.apache.beam.sdk.values.Row;

/**
 * Parses a line of a data file into the values of some of its columns. Columns that are not asked
 * for are skipped without creating anything. The values of dates and of one-letter flags are
 * shared.
 *
 * <p>Thread-safe; not serializable, build one where it is used.
 */
final class TpchLineParser {
  private enum Kind {
    INT32,
    INT64,
    DECIMAL,
    DATE,
    STRING
  }

  private static final int FIRST_YEAR = 1992;
  private static final int YEARS = 7;
  private static final int DATE_LENGTH = 10;
  private static final int MAXIMUM_DIGITS = 18;
  private static final LocalDate[] DATES = new LocalDate[YEARS * 12 * 31];
  private static final String[] LETTERS = new String[128];

  static {
    LocalDate end = LocalDate.of(FIRST_YEAR + YEARS, 1, 1);
    for (LocalDate day = LocalDate.of(FIRST_YEAR, 1, 1); day.isBefore(end); day = day.plusDays(1)) {
      DATES[index(day.getYear(), day.getMonthValue(), day.getDayOfMonth())] = day;
    }
    for (char letter = 0; letter < LETTERS.length; letter++) {
      LETTERS[letter] = String.valueOf(letter);
    }
  }

  private final TpchTable table;
  private final Schema schema;

  /** For each column of the file up to the last that is needed: where it goes, or -1. */
  private final int[] targets;

  private final Kind[] kinds;

  /**
   * A parser for some columns.
   *
   * @param schema the wanted columns of the table, in any order
   */
  TpchLineParser(TpchTable table, Schema schema) {
    this.table = table;
    this.schema = schema;
    int last = -1;
    for (Field field : schema.getFields()) {
      last = Math.max(last, table.schema().indexOf(field.getName()));
    }
    targets = new int[last + 1];
    kinds = new Kind[last + 1];
    for (int column = 0; column <= last; column++) {
      Field field = table.schema().getField(column);
      targets[column] = schema.hasField(field.getName()) ? schema.indexOf(field.getName()) : -1;
      kinds[column] = kind(field);
    }
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
   * @throws IllegalArgumentException if the line is not one of the table; the message names the
   *     table, the column and the line
   */
  Row parse(String line) {
    Object[] values = new Object[schema.getFieldCount()];
    int start = 0;
    for (int column = 0; column < targets.length; column++) {
      int end = line.indexOf('|', start);
      if (end < 0) {
        end = line.length();
        if (start > end) {
          throw malformed(line, column, null);
        }
      }
      if (targets[column] >= 0) {
        try {
          values[targets[column]] = value(kinds[column], line, start, end);
        } catch (RuntimeException notAValue) {
          throw malformed(line, column, notAValue);
        }
      }
      start = end + 1;
    }
    return Row.withSchema(schema).attachValues(values);
  }

  private static Object value(Kind kind, String line, int start, int end) {
    return switch (kind) {
      case INT32 -> Integer.valueOf(Math.toIntExact(integer(line, start, end)));
      case INT64 -> Long.valueOf(integer(line, start, end));
      case DECIMAL -> decimal(line, start, end);
      case DATE -> date(line, start, end);
      case STRING -> text(line, start, end);
    };
  }

  private static long integer(String line, int start, int end) {
    return Long.parseLong(line, start, end, 10);
  }

  private static BigDecimal decimal(String line, int start, int end) {
    if (end - start > MAXIMUM_DIGITS || start == end) {
      return new BigDecimal(line.substring(start, end));
    }
    boolean negative = line.charAt(start) == '-';
    long unscaled = 0;
    int scale = 0;
    boolean fraction = false;
    for (int i = negative ? start + 1 : start; i < end; i++) {
      char character = line.charAt(i);
      if (character == '.' && !fraction) {
        fraction = true;
      } else if (character >= '0' && character <= '9') {
        unscaled = unscaled * 10 + (character - '0');
        scale += fraction ? 1 : 0;
      } else {
        return new BigDecimal(line.substring(start, end));
      }
    }
    return BigDecimal.valueOf(negative ? -unscaled : unscaled, scale);
  }

  private static LocalDate date(String line, int start, int end) {
    if (end - start != DATE_LENGTH || line.charAt(start + 4) != '-') {
      return LocalDate.parse(line.substring(start, end));
    }
    int year = Integer.parseInt(line, start, start + 4, 10);
    int month = Integer.parseInt(line, start + 5, start + 7, 10);
    int day = Integer.parseInt(line, start + 8, start + 10, 10);
    int index = index(year, month, day);
    boolean known =
        month >= 1 && month <= 12 && day >= 1 && day <= 31 && index >= 0 && index < DATES.length;
    LocalDate date = known ? DATES[index] : null;
    return date != null ? date : LocalDate.of(year, month, day);
  }

  private static int index(int year, int month, int day) {
    return ((year - FIRST_YEAR) * 12 + month - 1) * 31 + day - 1;
  }

  private static String text(String line, int start, int end) {
    if (end - start == 1 && line.charAt(start) < LETTERS.length) {
      return LETTERS[line.charAt(start)];
    }
    return line.substring(start, end);
  }

  private IllegalArgumentException malformed(String line, int column, Throwable cause) {
    return new IllegalArgumentException(
        "A line of table "
            + table.tableName()
            + " has no valid value for column "
            + table.schema().getField(column).getName()
            + ": "
            + line,
        cause);
  }
}
