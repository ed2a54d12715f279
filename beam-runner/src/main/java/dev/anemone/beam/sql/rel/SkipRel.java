// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import dev.anemone.beam.sql.order.ResultOrder;
import dev.anemone.beam.sql.order.RowComparator;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.ListCoder;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamSqlRelUtils;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.Flatten;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.Top;
import org.apache.beam.sdk.transforms.WithKeys;
import org.apache.beam.sdk.transforms.join.CoGbkResult;
import org.apache.beam.sdk.transforms.join.CoGroupByKey;
import org.apache.beam.sdk.transforms.join.KeyedPCollectionTuple;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.TypeDescriptors;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelCollation;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Sort;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexLiteral;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;

/**
 * {@code OFFSET} without {@code LIMIT}: all rows but the first ones of an order. Those are picked
 * as {@link TopRel} does, and then taken away, each as often as it was picked: rows meet their
 * equals by their hash. It holds as many rows in memory as the offset says.
 */
public final class SkipRel extends Sort implements BeamRelNode {

  public SkipRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      RelCollation collation,
      RexNode offset) {
    super(cluster, traits, input, collation, offset, null);
  }

  @Override
  public Sort copy(
      RelTraitSet traits, RelNode input, RelCollation order, RexNode skipped, RexNode fetched) {
    if (fetched != null) {
      throw new IllegalArgumentException("a limit: " + fetched);
    }
    return new SkipRel(getCluster(), traits, input, order, skipped);
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery metadata) {
    double rows = BeamSqlRelUtils.getNodeStats(getInput(), metadata).getRowCount();
    return NodeStats.create(Math.max(0, rows - RexLiteral.intValue(offset)));
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery metadata) {
    return BeamCostModel.FACTORY.makeTinyCost();
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    int skipped = RexLiteral.intValue(offset);
    RowComparator order =
        new RowComparator(
            collation.getFieldCollations().stream()
                .map(field -> ResultOrder.Key.of(field.getFieldIndex(), field))
                .toList());
    Schema schema = CalciteUtils.toSchema(getRowType());
    return new PTransform<>() {
      @Override
      public PCollection<Row> expand(PCollectionList<Row> inputs) {
        PCollection<Row> rows = inputs.get(0);
        Coder<Row> coder = rows.getCoder();
        PCollection<Row> first =
            rows.apply("First", Top.of(skipped, order.reverse()).withoutDefaults())
                .setCoder(ListCoder.of(coder))
                .apply("Rows", Flatten.iterables())
                .setCoder(coder);
        TakeAwayFn takeAway = new TakeAwayFn();
        return KeyedPCollectionTuple.of(takeAway.all, byHash("All", rows))
            .and(takeAway.first, byHash("Taken away", first))
            .apply("Equals", CoGroupByKey.create())
            .apply("Others", ParDo.of(takeAway))
            .setRowSchema(schema);
      }
    };
  }

  private static PCollection<KV<Integer, Row>> byHash(String name, PCollection<Row> rows) {
    return rows.apply(name, WithKeys.of(Row::hashCode).withKeyType(TypeDescriptors.integers()));
  }

  /** The rows of a hash without those to take away. */
  private static final class TakeAwayFn extends DoFn<KV<Integer, CoGbkResult>, Row> {
    private static final long serialVersionUID = 1L;

    private final TupleTag<Row> all = new TupleTag<>();
    private final TupleTag<Row> first = new TupleTag<>();

    @ProcessElement
    public void process(@Element KV<Integer, CoGbkResult> group, OutputReceiver<Row> output) {
      Map<Row, Integer> left = new HashMap<>();
      group.getValue().getAll(first).forEach(row -> left.merge(row, 1, Integer::sum));
      for (Row row : group.getValue().getAll(all)) {
        if (left.computeIfPresent(row, (same, count) -> count - 1) == null) {
          output.output(row);
        } else {
          left.remove(row, 0);
        }
      }
    }
  }
}
