// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/**
 * How generated code holds the values of a SQL type. Dates are days and timestamps milliseconds
 * since 1970.
 */
enum JavaType {
  BOOLEAN("boolean", "false"),
  INT("int", "0"),
  LONG("long", "0L"),
  DOUBLE("double", "0d"),
  DECIMAL("java.math.BigDecimal", "((java.math.BigDecimal) null)"),
  STRING("String", "((String) null)");

  private final String keyword;
  private final String nullValue;

  JavaType(String keyword, String nullValue) {
    this.keyword = keyword;
    this.nullValue = nullValue;
  }

  /** The type in Java. */
  String keyword() {
    return keyword;
  }

  /** What a variable holds while its value is NULL. */
  String nullValue() {
    return nullValue;
  }

  /** Whether NULL needs a variable of its own. */
  boolean isPrimitive() {
    return this != DECIMAL && this != STRING;
  }

  /**
   * The representation of a SQL type.
   *
   * @throws UntranslatableException if generated code has none for it
   */
  static JavaType of(RelDataType type) throws UntranslatableException {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> BOOLEAN;
      case TINYINT, SMALLINT, INTEGER, DATE -> INT;
      case BIGINT, TIMESTAMP -> LONG;
      case DOUBLE -> DOUBLE;
      case DECIMAL -> DECIMAL;
      case CHAR, VARCHAR -> STRING;
      default -> throw new UntranslatableException("values of type " + type);
    };
  }
}
