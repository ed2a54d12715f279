// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.columnar;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.json.QueryJson;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.arrow.vector.ipc.ArrowReader;

/**
 * A query where the runner knows nothing of it: in a DoFn.
 *
 * @param queryJson the query, a text because it is not serializable itself
 * @param spec what it may use
 * @param form of what it gives
 */
record QueryTask<T>(String queryJson, QuerySpec spec, BatchForm<T> form) implements Serializable {

  static <T> QueryTask<T> of(RelationalQuery query, QuerySpec spec, BatchForm<T> form) {
    return new QueryTask<>(new String(QueryJson.write(query), StandardCharsets.UTF_8), spec, form);
  }

  RelationalQuery query() {
    return QueryJson.read(queryJson.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Runs the query.
   *
   * @param rows the columns of inputs that have other types than the query says
   * @param batches those of each input that is no table; closed by this
   */
  void run(
      Map<String, RowType> rows,
      Map<String, ArrowReader> batches,
      BatchForm.ElementReceiver<T> output)
      throws Exception {
    try (BatchForm.Writer writer = form.open(output)) {
      new QueryReader(query().withInputs(rows), spec).run(batches, writer);
      writer.finish();
    }
  }
}
