// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.UnsupportedSqlException;

/** A query has analytic functions ({@code OVER}) that cannot be run in columns. */
public final class AnalyticFunctionException extends UnsupportedSqlException {

  private static final long serialVersionUID = 1L;

  AnalyticFunctionException() {
    super(
        "Analytic functions (OVER) are run in columns only: over tables of TYPE ndp whose files are"
            + " on this machine, and without --columnar=off.");
  }
}
