// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.window;

import dev.anemone.beam.sql.rel.UnaryRel;
import dev.anemone.beam.sql.row.CompactRowCoder;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.GlobalWindows;
import org.apache.beam.sdk.transforms.windowing.IntervalWindow;
import org.apache.beam.sdk.transforms.windowing.Window;
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

/** Appends to each row the start of its window and, as a second column, the end. */
public final class WindowBoundsRel extends UnaryRel {

  private final boolean leaves;

  /**
   * An operator.
   *
   * @param bounds one column or two
   * @param leaves whether the result is in the global window
   */
  WindowBoundsRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      List<RelDataTypeField> bounds,
      boolean leaves) {
    super(cluster, traits, input, input.getRowType().getFieldCount(), bounds);
    this.leaves = leaves;
  }

  @Override
  public ImmutableBitSet reads() {
    return ImmutableBitSet.of();
  }

  @Override
  public UnaryRel on(RelTraitSet traits, RelNode other, Mappings.TargetMapping moved) {
    return new WindowBoundsRel(getCluster(), traits, other, own(), leaves);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).itemIf("leaves", leaves, leaves);
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    Schema schema = CalciteUtils.toSchema(getRowType());
    BoundsFn bounds = new BoundsFn(schema);
    return new PTransform<>() {
      @Override
      public PCollection<Row> expand(PCollectionList<Row> inputs) {
        PCollection<Row> rows =
            inputs.get(0).apply("Bounds", ParDo.of(bounds)).setCoder(CompactRowCoder.of(schema));
        return leaves ? rows.apply("All windows", Window.into(new GlobalWindows())) : rows;
      }
    };
  }

  /** A row and as many bounds of its window as the schema has further columns. */
  static Row withBounds(Row row, BoundedWindow window, Schema schema) {
    IntervalWindow interval = (IntervalWindow) window;
    Object[] values = new Object[schema.getFieldCount()];
    int columns = row.getFieldCount();
    for (int i = 0; i < columns; i++) {
      values[i] = row.getValue(i);
    }
    values[columns] = interval.start();
    if (columns + 1 < values.length) {
      values[columns + 1] = interval.end();
    }
    return Row.withSchema(schema).attachValues(values);
  }

  private static final class BoundsFn extends DoFn<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final Schema schema;

    BoundsFn(Schema schema) {
      this.schema = schema;
    }

    @ProcessElement
    public void process(@Element Row row, BoundedWindow window, OutputReceiver<Row> output) {
      output.output(withBounds(row, window, schema));
    }
  }
}
