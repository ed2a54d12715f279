package dev.anemone.beam.sql.ndp;

/** An expression has no form as a {@link dev.anemone.ir.relational.Expression}. */
final class UnsayableException extends Exception {

  private static final long serialVersionUID = 1;

  UnsayableException(String what) {
    super(what);
  }

  UnsayableException(String what, Throwable cause) {
    super(what, cause);
  }
}
