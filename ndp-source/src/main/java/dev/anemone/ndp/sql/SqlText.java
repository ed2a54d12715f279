// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.sql;

import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.DecimalType;
import dev.anemone.ir.relational.Literal;
import dev.anemone.ir.relational.SimpleType;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/**
 * Types, constants and names in DuckDB's SQL. All that a plan brings along goes through here. A
 * query numbers its columns; only files that are written have names of somebody else.
 */
public final class SqlText {

  private static final LocalDateTime EPOCH = LocalDateTime.of(1970, 1, 1, 0, 0);

  private SqlText() {}

  /** The name of a type in SQL. */
  public static String type(DataType type) {
    if (type instanceof DecimalType decimal) {
      return "DECIMAL(" + decimal.precision() + "," + decimal.scale() + ")";
    }
    return switch ((SimpleType) type) {
      case BOOLEAN -> "BOOLEAN";
      case INT32 -> "INTEGER";
      case INT64 -> "BIGINT";
      case DOUBLE -> "DOUBLE";
      case DATE -> "DATE";
      case TIMESTAMP -> "TIMESTAMP";
      case STRING -> "VARCHAR";
    };
  }

  /** A constant in SQL. */
  public static String literal(Literal literal) {
    if (literal.value().isEmpty()) {
      return cast("NULL", literal.type());
    }
    Object value = literal.value().get();
    if (value instanceof LocalDateTime timestamp) {
      return "make_timestamp(" + ChronoUnit.MICROS.between(EPOCH, timestamp) + ")";
    }
    if (value instanceof String text) {
      return string(text);
    }
    return cast(string(literal.valueText()), literal.type());
  }

  /** A text as a constant. The SQL ends at a NUL, so one is put in by its number. */
  public static String string(String text) {
    if (text.indexOf('\0') < 0) {
      return "'" + text.replace("'", "''") + "'";
    }
    return "('" + text.replace("'", "''").replace("\0", "' || chr(0) || '") + "')";
  }

  /**
   * A name of somebody else in SQL.
   *
   * @throws IllegalArgumentException when it has a NUL, at which the SQL would end
   */
  public static String name(String name) {
    if (name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the name '" + name.replace("\0", "\\0") + "' has a NUL; leave it out");
    }
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A value in SQL as another type. */
  public static String cast(String expression, DataType type) {
    return "CAST(" + expression + " AS " + type(type) + ")";
  }
}
