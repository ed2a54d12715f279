// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

/** Something in a query cannot be run; the message names the clause and says what would do. */
public class UnsupportedSqlException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UnsupportedSqlException(String message) {
    super(message);
  }
}
