// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.columnar.PartsInRows;
import dev.anemone.beam.sql.order.ResultOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.SingleRel;

/**
 * The result of a query: rows with the names that the query gives its columns, and a schema that
 * says the {@link ResultOrder}. The root of a plan.
 */
public final class ResultRel extends SingleRel implements BeamRelNode {

  private final ResultOrder order;
  private final List<String> inRows;

  /**
   * The result of a plan.
   *
   * @param columns their names, each once
   * @param order which the schema will tell
   * @param inRows what kept parts of the plan in rows, see {@link PartsInRows}
   */
  public ResultRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      List<String> columns,
      ResultOrder order,
      List<String> inRows) {
    super(cluster, traits, input);
    this.rowType =
        cluster
            .getTypeFactory()
            .createStructType(RelOptUtil.getFieldTypeList(input.getRowType()), columns);
    this.order = order;
    this.inRows = List.copyOf(inRows);
  }

  /** What kept parts of the plan in rows. */
  public List<String> inRows() {
    return inRows;
  }

  /** The same with one reason more. */
  public ResultRel withReason(String reason) {
    List<String> reasons = new ArrayList<>(inRows);
    reasons.add(reason);
    return new ResultRel(
        getCluster(), getTraitSet(), getInput(), getRowType().getFieldNames(), order, reasons);
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new ResultRel(
        getCluster(), traits, inputs.get(0), getRowType().getFieldNames(), order, inRows);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("columns", getRowType().getFieldNames())
        .itemIf("order", order.keys(), !order.keys().isEmpty());
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery metadata) {
    return BeamSqlRelUtils.getNodeStats(getInput(), metadata);
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery metadata) {
    return BeamCostModel.FACTORY.makeTinyCost();
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    Schema schema = order.describe(CalciteUtils.toSchema(getRowType()));
    return new Result(schema, inRows);
  }

  private static final class Result extends PTransform<PCollectionList<Row>, PCollection<Row>>
      implements PartsInRows {
    private static final long serialVersionUID = 1L;

    private final Schema schema;
    private final List<String> inRows;

    Result(Schema schema, List<String> inRows) {
      this.schema = schema;
      this.inRows = inRows;
    }

    @Override
    public List<String> reasons() {
      return inRows;
    }

    @Override
    public PCollection<Row> expand(PCollectionList<Row> inputs) {
      return inputs.get(0).apply(ParDo.of(new RenameFn(schema))).setRowSchema(schema);
    }
  }

  /** Gives rows another schema with fields of the same types. */
  private static final class RenameFn extends DoFn<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final Schema schema;

    RenameFn(Schema schema) {
      this.schema = schema;
    }

    @ProcessElement
    public void process(@Element Row row, OutputReceiver<Row> output) {
      output.output(Row.withSchema(schema).attachValues(row.getValues()));
    }
  }
}
