// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.rel;

import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.BeamCalciteTable;
import org.apache.beam.sdk.extensions.sql.impl.BeamTableStatistics;
import org.apache.beam.sdk.extensions.sql.impl.rel.BeamIOSourceRel;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTableFilter;
import org.apache.beam.sdk.extensions.sql.meta.ProjectSupport;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.Row;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rel.RelNode;
import org.apache.beam.vendor.calcite.v1_40_0.org.apache.calcite.rex.RexNode;

/**
 * A table that reads the columns that are asked for in the order in which they are. Many tables
 * read them in their own order, and say so by {@link ProjectSupport#WITHOUT_FIELD_REORDERING}; but
 * Beam's rule that moves a projection into a table takes them in the order of the projection.
 */
public final class OrderedTable implements BeamSqlTable {

  private final BeamSqlTable table;

  private OrderedTable(BeamSqlTable table) {
    this.table = table;
  }

  /** A query whose tables all read columns in the order in which they are asked for. */
  public static RelNode inAll(RelNode query) {
    return query.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            return node instanceof BeamIOSourceRel source ? ordered(source) : super.visit(node);
          }
        });
  }

  private static RelNode ordered(BeamIOSourceRel source) {
    if (source.getBeamSqlTable().supportsProjects() != ProjectSupport.WITHOUT_FIELD_REORDERING) {
      return source;
    }
    return new BeamIOSourceRel(
        source.getCluster(),
        source.getTraitSet(),
        source.getTable(),
        new OrderedTable(source.getBeamSqlTable()),
        source.getPipelineOptions(),
        source.getTable().unwrap(BeamCalciteTable.class));
  }

  @Override
  public PCollection<Row> buildIOReader(PBegin begin) {
    return table.buildIOReader(begin);
  }

  @Override
  public PCollection<Row> buildIOReader(
      PBegin begin, BeamSqlTableFilter filters, List<String> fieldNames) {
    PCollection<Row> rows = table.buildIOReader(begin, filters, fieldNames);
    List<String> read = rows.getSchema().getFieldNames();
    if (fieldNames.isEmpty() || read.equals(fieldNames)) {
      return rows;
    }
    Schema schema = fieldNames.stream().map(rows.getSchema()::getField).collect(Schema.toSchema());
    return rows.apply(
            "Order columns",
            MapElements.via(
                new OrderFn(schema, fieldNames.stream().mapToInt(read::indexOf).toArray())))
        .setRowSchema(schema);
  }

  private static final class OrderFn extends SimpleFunction<Row, Row> {

    private static final long serialVersionUID = 1;

    private final Schema schema;
    private final int[] columns;

    OrderFn(Schema schema, int[] columns) {
      this.schema = schema;
      this.columns = columns;
    }

    @Override
    public Row apply(Row row) {
      Object[] values = new Object[columns.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = row.getValue(columns[i]);
      }
      return Row.withSchema(schema).attachValues(values);
    }
  }

  @Override
  public POutput buildIOWriter(PCollection<Row> input) {
    return table.buildIOWriter(input);
  }

  @Override
  public BeamSqlTableFilter constructFilter(List<RexNode> filter) {
    return table.constructFilter(filter);
  }

  @Override
  public ProjectSupport supportsProjects() {
    return ProjectSupport.WITH_FIELD_REORDERING;
  }

  @Override
  public IsBounded isBounded() {
    return table.isBounded();
  }

  @Override
  public Schema getSchema() {
    return table.getSchema();
  }

  @Override
  public BeamTableStatistics getTableStatistics(PipelineOptions options) {
    return table.getTableStatistics(options);
  }
}
