// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.ndp.QueryRead;
import dev.anemone.beam.ndp.QueryTable;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.Map;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCost;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.AbstractRelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;

/** A part of a query that the columnar engine runs. */
final class ColumnarRel extends AbstractRelNode implements BeamRelNode {

  private final RelationalQuery query;
  private final Map<String, QueryTable> tables;
  private final double rows;

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
    super(cluster, cluster.traitSetOf(BeamLogicalConvention.INSTANCE));
    this.query = query;
    this.tables = Map.copyOf(tables);
    this.rowType = rowType;
    this.rows = rows;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("query", query.text())
        .item("as", rowType.getFieldNames());
  }

  @Override
  public double estimateRowCount(RelMetadataQuery mq) {
    return rows;
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery mq) {
    return NodeStats.create(rows, 0, rows);
  }

  @Override
  public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeCost(rows, rows, rows);
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery mq) {
    return BeamCostModel.FACTORY.makeCost(rows, 0);
  }

  @Override
  public IsBounded isBounded() {
    return IsBounded.BOUNDED;
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    return new Transform();
  }

  private final class Transform extends PTransform<PCollectionList<Row>, PCollection<Row>> {
    private static final long serialVersionUID = 1;

    @Override
    public PCollection<Row> expand(PCollectionList<Row> nothing) {
      Schema schema = CalciteUtils.toSchema(rowType);
      return nothing
          .getPipeline()
          .apply("Columns", new QueryRead(query, tables, schema, CompactRowCoder.of(schema)));
    }
  }
}
