// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.UnsupportedSqlException;

/** A query has analytic functions ({@code OVER}) that cannot be run in columns. */
public final class AnalyticFunctionException extends UnsupportedSqlException {

  private static final long serialVersionUID = 1L;

  AnalyticFunctionException() {
    super(
        "This analytic function (OVER) cannot be run in columns, and in rows none can: the log says"
            + " why.");
  }
}
