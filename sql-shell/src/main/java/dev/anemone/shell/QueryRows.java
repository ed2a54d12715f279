// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.beam.sql.order.RowComparator;
import dev.anemone.shell.rows.CollectedRows;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.Sample;
import org.apache.beam.sdk.transforms.Top;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.Row;

/** Brings the rows of a query here, the first of its order or all. Not thread-safe. */
final class QueryRows implements AutoCloseable {
  private final CollectedRows collected;
  private final long limit;
  private Schema schema;

  /**
   * Rows of one query.
   *
   * @param limit of rows; 0 for all
   * @throws IllegalArgumentException if tasks have no place for rows that this program sees
   * @throws IOException if that place cannot be created
   */
  QueryRows(PipelineOptions options, long limit) throws IOException {
    CollectedRows.requireCommonTempLocation(options);
    this.limit = limit;
    this.collected = CollectedRows.in(options.getTempLocation());
  }

  /** Adds the steps that bring the rows here. */
  void collect(PCollection<Row> rows) {
    if (rows.isBounded() == IsBounded.UNBOUNDED) {
      throw new StatementException("The query never ends, as one of its tables does not.", null);
    }
    schema = rows.getSchema();
    collected.collect(limit == 0 ? rows : first(rows));
  }

  private PCollection<Row> first(PCollection<Row> rows) {
    List<ResultOrder.Key> order = ResultOrder.of(schema).keys();
    // One more, which says that there are more.
    PCollection<Row> first =
        order.isEmpty()
            ? rows.apply("First rows", Sample.any(limit + 1))
            : rows.apply(
                    "First rows of the order",
                    Top.of(Math.toIntExact(limit + 1), new RowComparator(order).reverse()))
                .apply("Rows", Flatten.iterables());
    return first.setRowSchema(schema);
  }

  /** The rows in their order, when the pipeline has succeeded. */
  Outcome.Rows read() throws IOException {
    List<Row> rows = collected.read();
    Stream<Row> sorted = rows.stream().sorted(ResultOrder.of(schema).comparator());
    boolean cut = limit > 0 && rows.size() > limit;
    return new Outcome.Rows(schema, (cut ? sorted.limit(limit) : sorted).toList(), cut);
  }

  @Override
  public void close() throws IOException {
    collected.close();
  }
}
