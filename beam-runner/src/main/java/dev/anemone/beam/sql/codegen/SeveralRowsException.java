// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.codegen;

/** A scalar sub-query has yielded more than one row: a cardinality violation, SQLSTATE 21000. */
public final class SeveralRowsException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public SeveralRowsException() {
    super(
        "A sub-query that stands for one value has yielded more than one row. Make it an"
            + " aggregate, such as MIN(x), or add a condition that leaves one row.");
  }
}
