// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

import java.util.Objects;

/**
 * A column of a row.
 *
 * @param name unique in the row
 * @param type what the column holds
 */
public record Field(String name, ValueType type) {

  /** Longest name in characters. */
  public static final int MAX_NAME_LENGTH = 255;

  public Field {
    Objects.requireNonNull(type, "type");
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH || !Texts.isUnicode(name)) {
      throw new InvalidPlanException(
          "a column is named "
              + Texts.quoted(name)
              + "; a name has 1 to "
              + MAX_NAME_LENGTH
              + " characters, not only blanks, and is Unicode text");
    }
  }

  /** A column that may hold null. */
  public static Field nullable(String name, DataType type) {
    return new Field(name, new ValueType(type, true));
  }

  /** A column that never holds null. */
  public static Field required(String name, DataType type) {
    return new Field(name, new ValueType(type, false));
  }

  @Override
  public String toString() {
    return Texts.name(name) + " " + type;
  }
}
