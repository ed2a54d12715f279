// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.columnar.DistributedRead;
import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.sql.ndp.NdpTable;
import dev.anemone.beam.sql.rel.ReadRel;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.exchange.DistributedQuery;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/** A part of a query that the columnar engine runs in fragments. */
final class DistributedRel extends ReadRel {

  private final DistributedQuery query;
  private final Map<String, NdpTable> tables;

  /**
   * A part.
   *
   * @param tables those of the query's inputs, by name
   * @param rowType of the rows, column by column what the query gives
   * @param rows estimated
   */
  DistributedRel(
      RelOptCluster cluster,
      DistributedQuery query,
      Map<String, NdpTable> tables,
      RelDataType rowType,
      double rows) {
    super(cluster, rowType, rows);
    this.query = query;
    this.tables = Map.copyOf(tables);
  }

  @Override
  protected RelWriter explainRead(RelWriter writer) {
    return writer.item("fragments", query.text().replace("\n", "; "));
  }

  @Override
  protected String stepName() {
    return "Columns";
  }

  @Override
  protected PTransform<PBegin, PCollection<Row>> read(Schema schema) {
    return new DistributedRead(query, new Tables(), schema, CompactRowCoder.of(schema));
  }

  private final class Tables implements DistributedRead.TableReads {
    @Override
    public <T> PTransform<PBegin, PCollection<T>> of(
        String table, RelationalPlan plan, BatchForm<T> form, Coder<T> coder) {
      return tables.get(table).read(plan, form, coder);
    }
  }
}
