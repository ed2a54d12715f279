// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.columnar;

import dev.anemone.beam.columnar.QueryOfRows;
import dev.anemone.beam.sql.rel.UnaryRel;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.ir.relational.query.RelationalQuery;
import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.utils.CalciteUtils;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.PTransform;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollectionList;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.plan.RelTraitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelWriter;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.ImmutableBitSet;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.util.mapping.Mappings;

/** An operator that the columnar engine runs, on rows that others make. */
final class ColumnsOfRowsRel extends UnaryRel {

  private final RelationalQuery query;
  private final boolean alsoOfNothing;

  /**
   * An operator.
   *
   * @param query with the one input {@link QueryOfRows#ROWS}
   * @param alsoOfNothing whether no rows at all have a result, too
   * @param columns of the result, column by column what the query gives
   */
  ColumnsOfRowsRel(
      RelTraitSet traits,
      RelNode input,
      RelationalQuery query,
      boolean alsoOfNothing,
      List<RelDataTypeField> columns) {
    super(input.getCluster(), traits, input, 0, columns);
    this.query = query;
    this.alsoOfNothing = alsoOfNothing;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("query", query.text())
        .item("as", getRowType().getFieldNames());
  }

  @Override
  public ImmutableBitSet reads() {
    return ImmutableBitSet.range(getInput().getRowType().getFieldCount());
  }

  @Override
  public UnaryRel on(RelTraitSet traits, RelNode other, Mappings.TargetMapping moved) {
    if (!Mappings.isIdentity(moved)) {
      throw new IllegalArgumentException("the query reads all columns of its rows, not " + moved);
    }
    return new ColumnsOfRowsRel(traits, other, query, alsoOfNothing, own());
  }

  @Override
  public PTransform<PCollectionList<Row>, PCollection<Row>> buildPTransform() {
    return new Transform();
  }

  private final class Transform extends PTransform<PCollectionList<Row>, PCollection<Row>> {
    private static final long serialVersionUID = 1;

    @Override
    public PCollection<Row> expand(PCollectionList<Row> input) {
      Schema schema = CalciteUtils.toSchema(getRowType());
      return input
          .get(0)
          .apply(
              "Columns", new QueryOfRows(query, alsoOfNothing, schema, CompactRowCoder.of(schema)));
    }
  }
}
