// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.relational;

/** A type without parameters. */
public enum SimpleType implements DataType {
  BOOLEAN("boolean"),
  /** Whole numbers of 32 bits; what does not fit is an error. */
  INT32("int32"),
  /** Whole numbers of 64 bits; what does not fit is an error. */
  INT64("int64"),
  /**
   * Binary floating point of 64 bits. NaN equals itself and is larger than any other number; both
   * zeros are equal.
   */
  DOUBLE("double"),
  /** A day of the proleptic Gregorian calendar. */
  DATE("date"),
  /** A day and a time of day in microseconds, without a time zone. */
  TIMESTAMP("timestamp"),
  /** Unicode text, ordered by code points. */
  STRING("string");

  private final String text;

  SimpleType(String text) {
    this.text = text;
  }

  @Override
  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return text;
  }
}
