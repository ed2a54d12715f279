// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.unnest;

import dev.anemone.beam.sql.rel.UnaryRel;
import dev.anemone.beam.sql.row.CompactRowCoder;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.FieldType;
import org.apache.beam.sdk.schemas.Schema.TypeName;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.transforms.ParDo;
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
 * Yields a row for each element of the array in the input's last column: the other columns, then
 * the element. A row whose array is NULL or empty yields none.
 */
public final class UnnestRel extends UnaryRel {

  /** How it yields elements. */
  enum Shape {
    /** An element is a column. */
    WHOLE,
    /** An element is a row, and its fields are columns. */
    FIELDS
  }

  private final Shape shape;
  private final boolean ordinality;
  private final boolean keepsEmpty;

  /**
   * An operator.
   *
   * @param element the columns of an element, and of its number
   * @param ordinality whether the last of these is the element's number, from 1 on
   * @param keepsEmpty whether a row without elements yields one, with NULL for the element
   */
  UnnestRel(
      RelOptCluster cluster,
      RelTraitSet traits,
      RelNode input,
      List<RelDataTypeField> element,
      Shape shape,
      boolean ordinality,
      boolean keepsEmpty) {
    super(cluster, traits, input, input.getRowType().getFieldCount() - 1, element);
    this.shape = shape;
    this.ordinality = ordinality;
    this.keepsEmpty = keepsEmpty;
  }

  @Override
  public ImmutableBitSet reads() {
    return ImmutableBitSet.of(carried());
  }

  @Override
  public UnaryRel on(RelTraitSet traits, RelNode other, Mappings.TargetMapping moved) {
    if (moved.getTarget(carried()) != other.getRowType().getFieldCount() - 1) {
      throw new IllegalArgumentException("the array is not the last column: " + moved);
    }
    return new UnnestRel(getCluster(), traits, other, own(), shape, ordinality, keepsEmpty);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("array", "$" + carried())
        .itemIf("fields", shape == Shape.FIELDS, shape == Shape.FIELDS)
        .itemIf("withOrdinality", ordinality, ordinality)
        .itemIf("keepsEmpty", keepsEmpty, keepsEmpty);
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    Schema schema = CalciteUtils.toSchema(getRowType());
    UnnestFn unnest = new UnnestFn(schema, carried(), shape, ordinality, keepsEmpty);
    return new PTransform<>() {
      @Override
      public PCollection<Row> expand(PCollectionList<Row> inputs) {
        return inputs.get(0).apply("Unnest", ParDo.of(unnest)).setCoder(CompactRowCoder.of(schema));
      }
    };
  }

  private static final class UnnestFn extends DoFn<Row, Row> {
    private static final long serialVersionUID = 1L;

    private final Schema schema;
    private final int array;
    private final Shape shape;
    private final boolean ordinality;
    private final boolean keepsEmpty;

    UnnestFn(Schema schema, int array, Shape shape, boolean ordinality, boolean keepsEmpty) {
      this.schema = schema;
      this.array = array;
      this.shape = shape;
      this.ordinality = ordinality;
      this.keepsEmpty = keepsEmpty;
    }

    @ProcessElement
    public void process(@Element Row row, OutputReceiver<Row> output) {
      Iterable<?> elements = row.getValue(array);
      int number = 0;
      if (elements != null) {
        for (Object element : elements) {
          number++;
          output.output(with(row, element, number));
        }
      }
      if (number == 0 && keepsEmpty) {
        output.output(with(row, null, null));
      }
    }

    private Row with(Row row, Object element, Integer number) {
      Object[] values = new Object[schema.getFieldCount()];
      for (int i = 0; i < array; i++) {
        values[i] = row.getValue(i);
      }
      if (shape == Shape.WHOLE) {
        values[array] = element;
      } else if (element != null) {
        Row fields = (Row) element;
        put(fields.getSchema(), fields, values, array);
      }
      if (ordinality) {
        values[values.length - 1] = number;
      }
      return Row.withSchema(schema).attachValues(values);
    }

    /**
     * Puts the fields of a row, which may be null, into columns, those of rows in it each into its
     * own, as Calcite has flattened them. The column after the last one is returned.
     */
    private int put(Schema fields, Row row, Object[] values, int first) {
      int next = first;
      for (int i = 0; i < fields.getFieldCount(); i++) {
        FieldType type = fields.getField(i).getType();
        Object value = row == null ? null : row.getValue(i);
        if (type.getTypeName() == TypeName.ROW
            && schema.getField(next).getType().getTypeName() != TypeName.ROW) {
          next = put(type.getRowSchema(), (Row) value, values, next);
        } else {
          values[next++] = value;
        }
      }
      return next;
    }
  }
}
