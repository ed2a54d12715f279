// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.row.CompactRowCoder;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.SetOp;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Union;

/**
 * {@code UNION ALL} of any number of inputs: their rows as they are. Beam's own operator takes two
 * inputs, and groups their rows by all columns.
 */
public final class UnionAllRel extends Union implements BeamRelNode {

  /** A union of inputs whose columns have the same types. */
  public UnionAllRel(RelOptCluster cluster, RelTraitSet traits, List<RelNode> inputs) {
    super(cluster, traits, inputs, true);
  }

  @Override
  public SetOp copy(RelTraitSet traits, List<RelNode> inputs, boolean all) {
    if (!all) {
      throw new IllegalArgumentException("UNION DISTINCT");
    }
    return new UnionAllRel(getCluster(), traits, inputs);
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery metadata) {
    return inputs.stream()
        .map(input -> BeamSqlRelUtils.getNodeStats(input, metadata))
        .reduce(NodeStats.create(0), NodeStats::plus);
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery metadata) {
    return BeamCostModel.FACTORY.makeTinyCost();
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    Schema schema = CalciteUtils.toSchema(getRowType());
    return new PTransform<>() {
      @Override
      public PCollection<Row> expand(PCollectionList<Row> rows) {
        return CommonWindows.of(rows)
            .apply("Union", Flatten.pCollections())
            .setCoder(CompactRowCoder.of(schema));
      }
    };
  }
}
