// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.beam.sql.order.RowComparator;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.ListCoder;
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
import org.apache.beam.sdk.transforms.Top;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelFieldCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Sort;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;

/**
 * {@code ORDER BY ... LIMIT}, and {@code LIMIT} alone: the first rows of an order, which each task
 * picks out of its own and one task out of what these picked. It holds as many rows in memory as
 * the limit and the offset say.
 *
 * <p>The limit is one for all windows, as in Beam's own operator, so its rows are in the global
 * window, at the end of it.
 */
public final class TopRel extends Sort implements BeamRelNode {

  public TopRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      RelCollation collation,
      RexNode offset,
      RexNode fetch) {
    super(cluster, traits, input, collation, offset, fetch);
  }

  @Override
  public Sort copy(
      RelTraitSet traits, RelNode input, RelCollation collation, RexNode offset, RexNode fetch) {
    return new TopRel(getCluster(), traits, input, collation, offset, fetch);
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery metadata) {
    NodeStats input = BeamSqlRelUtils.getNodeStats(getInput(), metadata);
    return NodeStats.create(Math.min(input.getRowCount(), intValue(fetch)));
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery metadata) {
    return BeamCostModel.FACTORY.makeTinyCost();
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    int first = offset == null ? 0 : intValue(offset);
    int end = Math.addExact(first, intValue(fetch));
    List<ResultOrder.Key> keys = new ArrayList<>();
    for (RelFieldCollation field : collation.getFieldCollations()) {
      keys.add(ResultOrder.Key.of(field.getFieldIndex(), field));
    }
    RowComparator order = new RowComparator(keys);
    Schema schema = CalciteUtils.toSchema(getRowType());
    return new PTransform<>() {
      @Override
      public PCollection<Row> expand(PCollectionList<Row> inputs) {
        PCollection<Row> rows = inputs.get(0);
        if (!(rows.getWindowingStrategy().getWindowFn() instanceof GlobalWindows)) {
          rows = rows.apply("All windows", Window.into(new GlobalWindows()));
        }
        return rows.apply("Top", Top.of(end, order.reverse()).withoutDefaults())
            .setCoder(ListCoder.of(rows.getCoder()))
            .apply("Rows", ParDo.of(new RowsFn(first)))
            .setRowSchema(schema);
      }
    };
  }

  private static int intValue(RexNode literal) {
    return RexLiteral.intValue(literal);
  }

  /** The rows of a list from an index on. */
  private static final class RowsFn extends DoFn<List<Row>, Row> {
    private static final long serialVersionUID = 1L;

    private final int first;

    RowsFn(int first) {
      this.first = first;
    }

    @ProcessElement
    public void process(@Element List<Row> rows, OutputReceiver<Row> output) {
      for (int i = first; i < rows.size(); i++) {
        output.output(rows.get(i));
      }
    }
  }
}
