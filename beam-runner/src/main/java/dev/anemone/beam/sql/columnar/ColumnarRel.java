// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.columnar.QueryRead;
import dev.anemone.beam.columnar.QueryTable;
import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.sql.rel.ReadRel;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/** A part of a query that the columnar engine runs. */
final class ColumnarRel extends ReadRel {

  private final RelationalQuery query;
  private final Map<String, QueryTable> tables;

  /**
   * A part.
   *
   * @param tables those of the query's inputs, by name
   * @param rowType of the rows, column by column what the query gives
   * @param rows estimated
   */
  ColumnarRel(
      RelOptCluster cluster,
      RelationalQuery query,
      Map<String, QueryTable> tables,
      RelDataType rowType,
      double rows) {
    super(cluster, rowType, rows);
    this.query = query;
    this.tables = Map.copyOf(tables);
  }

  @Override
  protected RelWriter explainRead(RelWriter writer) {
    return writer.item("query", query.text());
  }

  @Override
  protected String stepName() {
    return "Columns";
  }

  @Override
  protected <T> PTransform<PBegin, PCollection<T>> read(BatchForm<T> form, Coder<T> coder) {
    return new QueryRead<>(query, tables, form, coder);
  }

  @Override
  public RowType batchRow() {
    return query.row();
  }
}
