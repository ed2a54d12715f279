// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import java.math.BigDecimal;

/**
 * A translated expression: Java expressions without side effects, which may be repeated.
 *
 * @param type of the value
 * @param value what it is; while it is NULL, {@link JavaType#nullValue}
 * @param isNull whether it is NULL; {@link #NEVER} if it cannot be
 * @param number its value if it is known now and a number or a date, else null
 */
record Term(JavaType type, String value, String isNull, BigDecimal number) {
  static final String NEVER = "false";
  static final String ALWAYS = "true";

  static Term of(JavaType type, String value, String isNull) {
    return new Term(type, value, isNull, null);
  }

  /** A term that is never NULL. */
  static Term notNull(JavaType type, String value) {
    return of(type, value, NEVER);
  }

  /** NULL itself. */
  static Term nothing(JavaType type) {
    return of(type, type.nullValue(), ALWAYS);
  }

  boolean isNullable() {
    return !isNull.equals(NEVER);
  }

  boolean isConstant() {
    return number != null;
  }
}
