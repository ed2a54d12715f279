// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.exec;

import dev.anemone.beam.sql.codegen.UntranslatableException;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.beam.sql.row.RowKey;
import dev.anemone.beam.sql.row.RowKeyCoder;
import dev.anemone.beam.sql.row.RowKeyFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamCostModel;
import org.apache.beam.sdk.extensions.sql.impl.planner.BeamRelMetadataQuery;
import org.apache.beam.sdk.extensions.sql.impl.planner.NodeStats;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamAggregationRel;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamRelNode;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptPlanner;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.Aggregate;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.core.AggregateCall;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;

/**
 * An aggregation as a {@link Combine} of whole rows by a {@link RowKey}, with accumulators of typed
 * cells. A runner that combines before it shuffles needs no coder on the way there. {@link
 * AggregateRule} makes it only for functions that have cells.
 */
public final class AggregateRel extends Aggregate implements BeamRelNode {
  /** What it costs by the planner's estimate, as a share of Beam's operator. */
  private static final double RELATIVE_COST = 0.5;

  /** An aggregation of one group set on an input of Beam's convention. */
  public AggregateRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      ImmutableBitSet groupSet,
      List<AggregateCall> calls) {
    super(cluster, traits, List.of(), input, groupSet, List.of(groupSet), calls);
  }

  @Override
  public Aggregate copy(
      RelTraitSet traits,
      RelNode newInput,
      ImmutableBitSet newGroupSet,
      List<ImmutableBitSet> newGroupSets,
      List<AggregateCall> newCalls) {
    if (newGroupSets != null && newGroupSets.size() > 1) {
      throw new IllegalArgumentException("several group sets: " + newGroupSets);
    }
    return new AggregateRel(getCluster(), traits, newInput, newGroupSet, newCalls);
  }

  /** Whether this class can run an aggregation. */
  public static boolean canRun(Aggregate aggregate) {
    Schema input = CalciteUtils.toSchema(aggregate.getInput().getRowType());
    if (aggregate.getGroupType() != Group.SIMPLE
        || !RowKeyFactory.supports(input, aggregate.getGroupSet().asList())) {
      return false;
    }
    try {
      AggregateTranslator.translate(input, aggregate.getNamedAggCalls());
      return true;
    } catch (UntranslatableException beyondThis) {
      return false;
    }
  }

  @Override
  public BeamCostModel beamComputeSelfCost(RelOptPlanner planner, BeamRelMetadataQuery mq) {
    return beamAggregation().beamComputeSelfCost(planner, mq).multiplyBy(RELATIVE_COST);
  }

  @Override
  public NodeStats estimateNodeStats(BeamRelMetadataQuery mq) {
    return beamAggregation().estimateNodeStats(mq);
  }

  private BeamAggregationRel beamAggregation() {
    return new BeamAggregationRel(
        getCluster(),
        getTraitSet(),
        getInput(),
        getGroupSet(),
        getGroupSets(),
        getAggCallList(),
        null,
        -1);
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    return new Transform();
  }

  private final class Transform extends PTransform<PCollectionList<Row>, PCollection<Row>> {
    private static final long serialVersionUID = 1;

    @Override
    public PCollection<Row> expand(PCollectionList<Row> inputs) {
      PCollection<Row> input = inputs.get(0);
      List<Integer> fields = getGroupSet().asList();
      AggregateFn function;
      try {
        function = function(input, fields);
      } catch (UntranslatableException beyondThis) {
        return inputs.apply("Aggregation of Beam", beamAggregation().buildPTransform());
      }
      Schema schema = CalciteUtils.toSchema(getRowType());
      return (fields.isEmpty() ? all(input, function) : byKey(input, fields, function, schema))
          .setCoder(CompactRowCoder.of(schema));
    }

    private AggregateFn function(PCollection<Row> input, List<Integer> fields)
        throws UntranslatableException {
      if (input.isBounded() != IsBounded.BOUNDED) {
        throw new UntranslatableException("an aggregation of an unbounded collection");
      }
      if (!RowKeyFactory.supports(input.getSchema(), fields)) {
        throw new UntranslatableException("keys of " + input.getSchema());
      }
      return AggregateTranslator.translate(input.getSchema(), getNamedAggCalls());
    }

    private PCollection<Row> all(PCollection<Row> input, AggregateFn function) {
      Combine.Globally<Row, Row> combine = Combine.globally(function);
      boolean global = input.getWindowingStrategy().getWindowFn() instanceof GlobalWindows;
      return input.apply("Aggregate", global ? combine : combine.withoutDefaults());
    }

    private PCollection<Row> byKey(
        PCollection<Row> input, List<Integer> fields, AggregateFn function, Schema schema) {
      return input
          .apply("Key", ParDo.of(new KeyFn(new RowKeyFactory(input.getSchema(), fields))))
          .setCoder(KvCoder.of(RowKeyCoder.of(input.getSchema(), fields), input.getCoder()))
          .apply("Aggregate", Combine.perKey(function))
          .apply("Row", ParDo.of(new RowFn(schema)));
    }
  }

  /** Puts its key before each row. */
  private static final class KeyFn extends DoFn<Row, KV<RowKey, Row>> {
    private static final long serialVersionUID = 1;

    private final RowKeyFactory keys;

    KeyFn(RowKeyFactory keys) {
      this.keys = keys;
    }

    @ProcessElement
    public void processElement(@Element Row row, OutputReceiver<KV<RowKey, Row>> output) {
      output.output(KV.of(keys.key(row), row));
    }
  }

  /** Joins key and results. */
  private static final class RowFn extends DoFn<KV<RowKey, Row>, Row> {
    private static final long serialVersionUID = 1;

    private final Schema schema;

    RowFn(Schema schema) {
      this.schema = schema;
    }

    @ProcessElement
    public void processElement(@Element KV<RowKey, Row> group, OutputReceiver<Row> output) {
      List<Object> values = new ArrayList<>(schema.getFieldCount());
      for (int i = 0; i < group.getKey().size(); i++) {
        values.add(group.getKey().value(i));
      }
      values.addAll(group.getValue().getValues());
      output.output(Row.withSchema(schema).attachValues(values));
    }
  }
}
