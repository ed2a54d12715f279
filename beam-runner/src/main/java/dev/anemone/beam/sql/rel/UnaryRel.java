// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.SingleRel;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataType;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.mapping.Mappings;

/**
 * An operator on one input that Calcite has no class for, and none of its rules moves anything
 * past. It is logical without a convention, and physical with Beam's, which {@link UnaryRule} gives
 * it. Its columns are the first of its input's, which have the values of the row that a row comes
 * of, and then its own.
 */
public abstract class UnaryRel extends SingleRel implements BeamRelNode {

  private final int carried;
  private final List<RelDataTypeField> own;

  /**
   * An operator.
   *
   * @param carried how many of the input's columns it yields
   * @param own further columns
   */
  protected UnaryRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      int carried,
      List<RelDataTypeField> own) {
    super(cluster, traits, input);
    this.carried = carried;
    this.own = List.copyOf(own);
    this.rowType = rowType(cluster, input.getRowType().getFieldList().subList(0, carried), own);
  }

  private static RelDataType rowType(
      RelOptCluster cluster, List<RelDataTypeField> first, List<RelDataTypeField> then) {
    List<RelDataTypeField> all = new ArrayList<>(first);
    all.addAll(then);
    return cluster
        .getTypeFactory()
        .createStructType(
            all.stream().map(RelDataTypeField::getType).toList(),
            SqlValidatorUtil.uniquify(all.stream().map(RelDataTypeField::getName).toList(), true));
  }

  /** How many of its columns are its input's. */
  public final int carried() {
    return carried;
  }

  /** The columns that are not its input's. */
  public final List<RelDataTypeField> own() {
    return own;
  }

  /** The columns of the input that it needs, whether or not somebody needs them above it. */
  public abstract ImmutableBitSet reads();

  /** Those of its columns on which conditions may as well be tested below it. */
  public ImmutableBitSet filterable() {
    return ImmutableBitSet.range(carried);
  }

  /**
   * This operator on another input.
   *
   * @param moved where the columns that it needs are in that input
   */
  public abstract UnaryRel on(RelTraitSet traits, RelNode other, Mappings.TargetMapping moved);

  @Override
  public final RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    int columns = getInput().getRowType().getFieldCount();
    if (inputs.get(0).getRowType().getFieldCount() != columns) {
      throw new IllegalArgumentException("other columns: " + inputs.get(0).getRowType());
    }
    return on(traits, inputs.get(0), Mappings.createIdentity(columns));
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery metadata) {
    return BeamSqlRelUtils.getNodeStats(getInput(), metadata);
  }

  @Override
  public final BeamCostModel beamComputeSelfCost(
      RelOptPlanner planner, BeamRelMetadataQuery metadata) {
    return BeamCostModel.FACTORY.makeTinyCost();
  }
}
