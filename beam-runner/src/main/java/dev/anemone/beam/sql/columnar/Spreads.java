// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.sql.validate.CorrelationFunction;
import dev.anemone.ir.relational.query.SpreadFunction;
import java.util.Optional;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.SqlAggFunction;

/** Variances, deviations, covariances and correlations of the planner, in the relational IR. */
final class Spreads {

  private Spreads() {}

  /** The function of the IR, empty for another one. */
  static Optional<SpreadFunction> of(SqlAggFunction function) {
    return switch (function.getKind()) {
      case VAR_POP -> Optional.of(SpreadFunction.VAR_POP);
      case VAR_SAMP -> Optional.of(SpreadFunction.VAR_SAMP);
      case STDDEV_POP -> Optional.of(SpreadFunction.STDDEV_POP);
      case STDDEV_SAMP -> Optional.of(SpreadFunction.STDDEV_SAMP);
      case COVAR_POP -> Optional.of(SpreadFunction.COVAR_POP);
      case COVAR_SAMP -> Optional.of(SpreadFunction.COVAR_SAMP);
      default ->
          function.equals(CorrelationFunction.INSTANCE)
              ? Optional.of(SpreadFunction.CORR)
              : Optional.empty();
    };
  }
}
