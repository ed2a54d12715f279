// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.RowForm;
import dev.anemone.beam.sql.row.CompactRowCoder;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamLogicalConvention;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PBegin;
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

/**
 * A physical operator without inputs, which reads a number of rows that is estimated, column by
 * column of its row type.
 */
public abstract class ReadRel extends AbstractRelNode implements BatchRel {

  private final double rows;

  /**
   * An operator.
   *
   * @param rowType of its rows
   * @param rows estimated
   */
  protected ReadRel(RelOptCluster cluster, RelDataType rowType, double rows) {
    super(cluster, cluster.traitSetOf(BeamLogicalConvention.INSTANCE));
    this.rowType = rowType;
    this.rows = rows;
  }

  @Override
  public final double estimateRowCount(RelMetadataQuery mq) {
    return rows;
  }

  @Override
  public final NodeStats estimateNodeStats(BeamRelMetadataQuery mq) {
    return NodeStats.create(rows, 0, rows);
  }

  @Override
  public final RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
    return planner.getCostFactory().makeCost(rows, rows, rows);
  }

  @Override
  public final BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery mq) {
    return BeamCostModel.FACTORY.makeCost(rows, 0);
  }

  @Override
  public final IsBounded isBounded() {
    return IsBounded.BOUNDED;
  }

  /** Says what is read. */
  protected abstract RelWriter explainRead(RelWriter writer);

  /** The name of the step that reads. */
  protected abstract String stepName();

  /**
   * What reads.
   *
   * @param form of the batches that are read
   * @param coder of its elements
   */
  protected abstract <T> PTransform<PBegin, PCollection<T>> read(BatchForm<T> form, Coder<T> coder);

  @Override
  public final RelWriter explainTerms(RelWriter writer) {
    return explainRead(super.explainTerms(writer)).item("as", rowType.getFieldNames());
  }

  @Override
  public final PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    Schema schema = CalciteUtils.toSchema(rowType);
    return batches(new RowForm(schema), CompactRowCoder.of(schema));
  }

  @Override
  public final <T> PTransform<PCollectionList<Row>, PCollection<T>> batches(
      BatchForm<T> form, Coder<T> coder) {
    return new Transform<>(stepName(), read(form, coder));
  }

  private static final class Transform<T> extends PTransform<PCollectionList<Row>, PCollection<T>> {
    private static final long serialVersionUID = 1;

    private final String stepName;
    private final PTransform<PBegin, PCollection<T>> read;

    Transform(String stepName, PTransform<PBegin, PCollection<T>> read) {
      this.stepName = stepName;
      this.read = read;
    }

    @Override
    public PCollection<T> expand(PCollectionList<Row> nothing) {
      return nothing.getPipeline().apply(stepName, read);
    }
  }
}
