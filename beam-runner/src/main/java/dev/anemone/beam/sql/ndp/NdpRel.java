// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.sql.rel.ReadRel;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/** A read of a table with the operators that follow its scan. */
final class NdpRel extends ReadRel {

  private final NdpTable table;
  private final RelationalPlan plan;

  /**
   * A read.
   *
   * @param plan what is read and done
   * @param rowType of the rows, column by column what the plan gives
   * @param rows estimated
   */
  NdpRel(
      RelOptCluster cluster,
      NdpTable table,
      RelationalPlan plan,
      RelDataType rowType,
      double rows) {
    super(cluster, rowType, rows);
    this.table = table;
    this.plan = plan;
  }

  NdpTable table() {
    return table;
  }

  RelationalPlan plan() {
    return plan;
  }

  @Override
  protected RelWriter explainRead(RelWriter writer) {
    return writer.item("table", table.name()).item("plan", plan.text().replace("\n", "; "));
  }

  @Override
  protected String stepName() {
    return "Read " + table.name();
  }

  @Override
  protected <T> PTransform<PBegin, PCollection<T>> read(BatchForm<T> form, Coder<T> coder) {
    return table.read(plan, form, coder);
  }

  @Override
  public RowType batchRow() {
    return plan.output();
  }
}
