// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

/**
 * Our readers would not give the rows of a table that Beam's reader gives, or our writers not write
 * them so; says why.
 */
public final class OtherRowsException extends Exception {

  private static final long serialVersionUID = 1;

  OtherRowsException(String what) {
    super(what);
  }

  OtherRowsException(String what, Throwable cause) {
    super(what, cause);
  }
}
