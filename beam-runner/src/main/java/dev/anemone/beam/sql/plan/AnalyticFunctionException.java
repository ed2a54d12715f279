// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.plan;

import dev.anemone.beam.sql.rel.UnsupportedSqlException;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.impl.transform.BeamBuiltinAggregations;
import org.apache.beam.sdk.extensions.sql.impl.transform.BeamBuiltinAnalyticFunctions;

/** A query has analytic functions ({@code OVER}) that cannot be run in columns. */
public final class AnalyticFunctionException extends UnsupportedSqlException {

  private static final long serialVersionUID = 1L;

  private final boolean knownByBeam;

  /**
   * A query.
   *
   * @param functions the names of those that cannot be run
   * @param why they are not run in columns
   */
  AnalyticFunctionException(Set<String> functions, String why) {
    super(
        "The analytic functions (OVER) "
            + String.join(", ", functions)
            + " are not supported in rows. "
            + why);
    this.knownByBeam =
        functions.stream()
            .allMatch(
                function ->
                    BeamBuiltinAnalyticFunctions.BUILTIN_ANALYTIC_FACTORIES.containsKey(function)
                        || BeamBuiltinAggregations.BUILTIN_AGGREGATOR_FACTORIES.containsKey(
                            function));
  }

  /** Whether Beam's own planner has all of the functions. */
  public boolean isKnownByBeam() {
    return knownByBeam;
  }
}
