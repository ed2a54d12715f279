// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The type of a value that is not null. */
public sealed interface DataType permits SimpleType, DecimalType {

  /** The type as it is written, for example {@code int32} or {@code decimal(15,2)}. */
  String text();

  /**
   * The type of a text that {@link #text} gave.
   *
   * @throws InvalidPlanException when the text names no type
   */
  static DataType parse(String text) {
    for (SimpleType type : SimpleType.values()) {
      if (type.text().equals(text)) {
        return type;
      }
    }
    Matcher matcher = DecimalText.PATTERN.matcher(text);
    if (matcher.matches()) {
      return new DecimalType(
          Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }
    throw new InvalidPlanException(
        "there is no type "
            + Texts.shortened(text)
            + "; the types are boolean, int32, int64, decimal(precision,scale), double, date,"
            + " timestamp and string");
  }

  /** Whether values of this type can be added and multiplied. */
  default boolean isNumeric() {
    return this instanceof DecimalType
        || this == SimpleType.INT32
        || this == SimpleType.INT64
        || this == SimpleType.DOUBLE;
  }

  /** How a decimal type is written. */
  final class DecimalText {
    private static final Pattern PATTERN =
        Pattern.compile("decimal\\((0|[1-9][0-9]?),(0|[1-9][0-9]?)\\)");

    private DecimalText() {}
  }
}
