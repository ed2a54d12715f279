// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * A constant.
 *
 * @param type its type
 * @param value empty for null; a {@link Boolean}, {@link Integer}, {@link Long}, {@link BigDecimal}
 *     of the type's scale, {@link Double}, {@link LocalDate}, {@link LocalDateTime} of whole
 *     microseconds, or {@link String}, as the type says; dates are of the years 1 to 9999
 */
public record Literal(DataType type, Optional<Object> value) implements Expression {

  private static final DateTimeFormatter DATE =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd")
          .toFormatter()
          .withResolverStyle(ResolverStyle.STRICT);
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .appendPattern("uuuu-MM-dd HH:mm:ss.SSSSSS")
          .toFormatter()
          .withResolverStyle(ResolverStyle.STRICT);
  private static final int LAST_YEAR = 9999;

  public Literal {
    Objects.requireNonNull(type, "type");
    if (value.isPresent()) {
      value = Optional.of(checked(type, value.get()));
    }
  }

  /** A constant that is not null. */
  public static Literal of(DataType type, Object value) {
    return new Literal(type, Optional.of(value));
  }

  public static Literal of(boolean value) {
    return of(SimpleType.BOOLEAN, value);
  }

  public static Literal of(int value) {
    return of(SimpleType.INT32, value);
  }

  public static Literal of(long value) {
    return of(SimpleType.INT64, value);
  }

  public static Literal of(double value) {
    return of(SimpleType.DOUBLE, value);
  }

  public static Literal of(String value) {
    return of(SimpleType.STRING, value);
  }

  public static Literal of(LocalDate value) {
    return of(SimpleType.DATE, value);
  }

  /** A decimal of the smallest type that holds it with its own scale. */
  public static Literal of(BigDecimal value) {
    BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
    return of(new DecimalType(Math.max(plain.precision(), plain.scale()), plain.scale()), plain);
  }

  /** The null of a type. */
  public static Literal nullOf(DataType type) {
    return new Literal(type, Optional.empty());
  }

  /**
   * The literal of a text that {@link #valueText} gave.
   *
   * @throws InvalidPlanException when the text is not exactly what {@link #valueText} gives for a
   *     value of the type
   */
  public static Literal parse(DataType type, String text) {
    Literal literal;
    try {
      literal = of(type, parseValue(type, text));
    } catch (NumberFormatException | DateTimeException e) {
      throw notCanonical(type, text, e);
    }
    if (!literal.valueText().equals(text)) {
      throw notCanonical(type, text, null);
    }
    return literal;
  }

  /**
   * The value in its one written form: {@code true}, {@code -5}, {@code 1.50}, {@code 1.0E10},
   * {@code 1994-01-01}, {@code 1994-01-01 00:00:00.000000}; a string as it is.
   *
   * @throws java.util.NoSuchElementException when it is null
   */
  public String valueText() {
    Object present = value.orElseThrow();
    if (present instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    if (present instanceof LocalDate date) {
      return DATE.format(date);
    }
    if (present instanceof LocalDateTime timestamp) {
      return TIMESTAMP.format(timestamp);
    }
    return present.toString();
  }

  private static Object parseValue(DataType type, String text) {
    if (type instanceof DecimalType) {
      if (text.length() > DecimalType.MAX_PRECISION + 3) {
        throw new NumberFormatException("too many digits");
      }
      return new BigDecimal(text);
    }
    return switch ((SimpleType) type) {
      case BOOLEAN -> Boolean.valueOf(text);
      case INT32 -> Integer.valueOf(text);
      case INT64 -> Long.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case DATE -> LocalDate.parse(text, DATE);
      case TIMESTAMP -> LocalDateTime.parse(text, TIMESTAMP);
      case STRING -> text;
    };
  }

  private static InvalidPlanException notCanonical(DataType type, String text, Throwable cause) {
    return new InvalidPlanException(
        Texts.quoted(Texts.shortened(text))
            + " is no literal of type "
            + type
            + " in its one written form, such as true, -5, 1.50, 1.0E10, 1994-01-01 or"
            + " 1994-01-01 00:00:00.000000",
        cause);
  }

  private static Object checked(DataType type, Object value) {
    if (type instanceof DecimalType decimal && value instanceof BigDecimal number) {
      return fitted(decimal, number);
    }
    boolean right =
        type instanceof SimpleType simple
            && switch (simple) {
              case BOOLEAN -> value instanceof Boolean;
              case INT32 -> value instanceof Integer;
              case INT64 -> value instanceof Long;
              case DOUBLE -> value instanceof Double;
              case DATE -> value instanceof LocalDate date && hasYear(date);
              case TIMESTAMP ->
                  value instanceof LocalDateTime time
                      && hasYear(time.toLocalDate())
                      && time.truncatedTo(ChronoUnit.MICROS).equals(time);
              case STRING -> value instanceof String text && Texts.isUnicode(text);
            };
    if (!right) {
      throw new InvalidPlanException(
          Texts.shortened(value.toString())
              + " of "
              + value.getClass().getName()
              + " is no value of type "
              + type
              + "; dates are of the years 1 to 9999, times of whole microseconds, texts Unicode");
    }
    return value;
  }

  private static boolean hasYear(LocalDate date) {
    return date.getYear() >= 1 && date.getYear() <= LAST_YEAR;
  }

  private static BigDecimal fitted(DecimalType type, BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    if (stripped.scale() > type.scale()
        || (stripped.precision() - stripped.scale() > type.integerDigits()
            && value.signum() != 0)) {
      throw new InvalidPlanException(
          Texts.shortened(value.toString()) + " does not fit into a " + type);
    }
    return value.setScale(type.scale());
  }

  @Override
  public String toString() {
    return ExpressionText.of(this);
  }
}
