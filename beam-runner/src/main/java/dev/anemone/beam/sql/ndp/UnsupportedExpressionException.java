// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

/** An expression has no form as a {@link dev.anemone.ir.relational.Expression}. */
public final class UnsupportedExpressionException extends Exception {

  private static final long serialVersionUID = 1;

  public UnsupportedExpressionException(String what) {
    super(what);
  }

  UnsupportedExpressionException(String what, Throwable cause) {
    super(what, cause);
  }
}
