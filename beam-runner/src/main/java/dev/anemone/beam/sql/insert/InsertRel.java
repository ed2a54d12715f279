// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.insert;

import dev.anemone.beam.columnar.FileWrite;
import dev.anemone.beam.columnar.PartsInRows;
import dev.anemone.beam.sql.ndp.WrittenTable;
import dev.anemone.beam.sql.rel.BatchRel;
import dev.anemone.beam.sql.rel.ResultRel;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.write.WrittenRows;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.SingleRel;

/**
 * An {@code INSERT} that writes batches. A query that ends in columns makes them, and no row; the
 * rows of any other become batches in the tasks that make them. Its own output has no rows.
 */
public final class InsertRel extends SingleRel implements BeamRelNode {

  private final WrittenTable table;

  /**
   * An insert.
   *
   * @param result what is written, whose columns are those of the table
   */
  public InsertRel(ResultRel result, WrittenTable table) {
    this(result.getTraitSet(), result, table);
  }

  private InsertRel(RelTraitSet traits, RelNode result, WrittenTable table) {
    super(result.getCluster(), traits, result);
    this.table = table;
    this.rowType = result.getRowType();
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new InsertRel(traits, inputs.get(0), table);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("table", table.name())
        .item("of", isOfBatches() ? "batches" : "rows");
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery metadata) {
    return BeamSqlRelUtils.getNodeStats(getInput(), metadata);
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery metadata) {
    return BeamCostModel.FACTORY.makeTinyCost();
  }

  private boolean isOfBatches() {
    return getInput().getInput(0) instanceof BatchRel batches
        && batches.isAlwaysOfBatches()
        && WrittenRows.fit(batches.batchRow(), table.columns());
  }

  @Override
  public List<RelNode> getPCollectionInputs() {
    return isOfBatches() ? ((BatchRel) getInput().getInput(0)).getPCollectionInputs() : getInputs();
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    return new Transform(
        isOfBatches()
            ? write((BatchRel) getInput().getInput(0))
            : write(FileWrite.ofRows(table.columns()), table.columns()),
        isOfBatches() ? ((ResultRel) getInput()).inRows() : List.of());
  }

  private FileWrite write(BatchRel batches) {
    return write(batches::batches, batches.batchRow());
  }

  private FileWrite write(FileWrite.Batches batches, RowType given) {
    return new FileWrite(
        batches,
        new WrittenRows(table.name(), given, table.columns()),
        table.format(),
        table.target(),
        CalciteUtils.toSchema(getRowType()));
  }

  private static final class Transform extends PTransform<PCollectionList<Row>, PCollection<Row>>
      implements PartsInRows {
    private static final long serialVersionUID = 1;

    private final FileWrite write;
    private final List<String> reasons;

    /**
     * @param reasons of what the query has in rows, where no step with its result tells them
     */
    Transform(FileWrite write, List<String> reasons) {
      this.write = write;
      this.reasons = reasons;
    }

    @Override
    public List<String> reasons() {
      return reasons;
    }

    @Override
    public PCollection<Row> expand(PCollectionList<Row> inputs) {
      return inputs.apply("Write", write);
    }
  }
}
