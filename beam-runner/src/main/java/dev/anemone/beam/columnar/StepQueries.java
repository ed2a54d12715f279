// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.metrics.StepMetrics;
import dev.anemone.beam.ndp.BatchReceiver;
import dev.anemone.ir.relational.query.RelationalQuery;
import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.engine.profile.OperatorRows;
import dev.anemone.runtime.spi.OperatorContext;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.beam.sdk.metrics.Counter;
import org.apache.beam.sdk.metrics.Metrics;
import org.apache.beam.sdk.metrics.MetricsContainer;

/**
 * The queries that an operator runs. The rows that operators of the engine gave in them, and those
 * that the engine expected, are counted as metrics of the step, in the namespace {@value
 * #NAMESPACE}: {@code rows 2 HASH_JOIN} and {@code estimatedRows 2 HASH_JOIN}.
 */
final class StepQueries {

  static final String NAMESPACE = "dev.anemone.columns";

  private static final String ROWS = "rows";
  private static final String ESTIMATED = "estimatedRows";

  private final OperatorContext context;
  private final StepMetrics metrics;

  /** Those of the operator of a context, which goes by the name of its vertex. */
  StepQueries(OperatorContext context) throws Exception {
    this.context = context;
    this.metrics = new StepMetrics(context.vertexName(), context);
  }

  /** Runs a query, see {@link QueryReader#run(NdpEngine, Map, BatchReceiver)}. */
  void run(
      RelationalQuery query,
      QuerySpec spec,
      NdpEngine engine,
      Map<String, ArrowReader> batches,
      BatchReceiver output)
      throws Exception {
    MetricsContainer caller = metrics.enter();
    try {
      new QueryReader(query, spec).run(engine, batches, output);
    } finally {
      metrics.leave(caller);
    }
  }

  /** Reports what was counted; the operator has run its last query. */
  void report() {
    metrics.report().ifPresent(context::report);
  }

  /** Nothing is counted any more. */
  void close() {
    metrics.end();
  }

  /** Counts for the step that this thread is in. */
  static void count(List<OperatorRows> operators) {
    for (OperatorRows operator : operators) {
      counter(ROWS, operator).inc(operator.rows());
      operator.estimated().ifPresent(rows -> counter(ESTIMATED, operator).inc(rows));
    }
  }

  private static Counter counter(String what, OperatorRows operator) {
    return Metrics.counter(
        NAMESPACE, what + " " + operator.number() + " " + operator.name().strip());
  }
}
