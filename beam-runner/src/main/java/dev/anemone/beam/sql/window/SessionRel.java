// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.window;

import dev.anemone.beam.sql.rel.UnaryRel;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.beam.sql.row.RowKey;
import dev.anemone.beam.sql.row.RowKeyCoder;
import dev.anemone.beam.sql.row.RowKeyFactory;
import java.util.List;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.GroupByKey;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.Window;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelOptCluster;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.mapping.Mappings;

/**
 * Appends to each row the start and the end of the session that it belongs to, among the rows with
 * its key. The input is in windows of sessions; the result is in the global window, as sessions of
 * other keys would not be those that the columns say.
 */
public final class SessionRel extends UnaryRel {

  private final List<Integer> keys;

  /**
   * An operator.
   *
   * @param keys columns; without any, all rows have one key
   * @param bounds two columns
   */
  SessionRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      List<Integer> keys,
      List<RelDataTypeField> bounds) {
    super(cluster, traits, input, input.getRowType().getFieldCount(), bounds);
    this.keys = List.copyOf(keys);
  }

  @Override
  public ImmutableBitSet reads() {
    return ImmutableBitSet.of(keys);
  }

  /** A condition on another column would take rows out of the middle of a session. */
  @Override
  public ImmutableBitSet filterable() {
    return reads();
  }

  @Override
  public UnaryRel on(RelTraitSet traits, RelNode other, Mappings.TargetMapping moved) {
    return new SessionRel(
        getCluster(), traits, other, keys.stream().map(moved::getTarget).toList(), own());
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("keys", keys);
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    Schema schema = CalciteUtils.toSchema(getRowType());
    List<Integer> columns = keys;
    return new PTransform<>() {
      @Override
      public PCollection<Row> expand(PCollectionList<Row> inputs) {
        PCollection<Row> rows = inputs.get(0);
        RowKeyFactory factory = new RowKeyFactory(rows.getSchema(), columns);
        return rows.apply("Key", ParDo.of(new KeyFn(factory)))
            .setCoder(KvCoder.of(RowKeyCoder.of(rows.getSchema(), columns), rows.getCoder()))
            .apply("Sessions", GroupByKey.create())
            .apply("Bounds", ParDo.of(new SessionFn(schema)))
            .setCoder(CompactRowCoder.of(schema))
            .apply("All windows", Window.into(new GlobalWindows()));
      }
    };
  }

  private static final class KeyFn extends DoFn<Row, KV<RowKey, Row>> {
    private static final long serialVersionUID = 1L;

    private final RowKeyFactory keys;

    KeyFn(RowKeyFactory keys) {
      this.keys = keys;
    }

    @ProcessElement
    public void process(@Element Row row, OutputReceiver<KV<RowKey, Row>> output) {
      output.output(KV.of(keys.key(row), row));
    }
  }

  private static final class SessionFn extends DoFn<KV<RowKey, Iterable<Row>>, Row> {
    private static final long serialVersionUID = 1L;

    private final Schema schema;

    SessionFn(Schema schema) {
      this.schema = schema;
    }

    @ProcessElement
    public void process(
        @Element KV<RowKey, Iterable<Row>> session,
        BoundedWindow window,
        OutputReceiver<Row> output) {
      for (Row row : session.getValue()) {
        output.output(WindowBoundsRel.withBounds(row, window, schema));
      }
    }
  }
}
