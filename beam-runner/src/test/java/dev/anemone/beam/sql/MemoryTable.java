// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql;

import java.util.List;
import org.apache.beam.sdk.extensions.sql.impl.BeamTableStatistics;
import org.apache.beam.sdk.extensions.sql.meta.BaseBeamTable;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTableFilter;
import org.apache.beam.sdk.extensions.sql.meta.ProjectSupport;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.transforms.Create;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.Row;

/** A table whose rows are here, and which says of itself that it has any number of them. */
final class MemoryTable extends BaseBeamTable {
  private final Schema schema;
  private final List<Row> rows;
  private final double rowCount;

  MemoryTable(Schema schema, List<Row> rows, double rowCount) {
    this.schema = schema;
    this.rows = List.copyOf(rows);
    this.rowCount = rowCount;
  }

  /** The same rows in a table that, as a collection, has no number of rows and is read whole. */
  MemoryTable asCollection() {
    return new MemoryTable(schema, rows, Double.NaN);
  }

  List<Row> rows() {
    return rows;
  }

  @Override
  public PCollection<Row> buildIOReader(PBegin begin) {
    return begin.apply(Create.of(rows).withRowSchema(schema));
  }

  @Override
  public PCollection<Row> buildIOReader(
      PBegin begin, BeamSqlTableFilter filters, List<String> fieldNames) {
    // In the order of the table, whatever is asked for, as supportsProjects says.
    List<String> inOrder = schema.getFieldNames().stream().filter(fieldNames::contains).toList();
    Schema projected = inOrder.stream().map(schema::getField).collect(Schema.toSchema());
    List<Row> projectedRows =
        rows.stream()
            .map(
                row ->
                    Row.withSchema(projected)
                        .addValues(inOrder.stream().<Object>map(row::getValue).toList())
                        .build())
            .toList();
    return begin.apply(Create.of(projectedRows).withRowSchema(projected));
  }

  @Override
  public ProjectSupport supportsProjects() {
    return Double.isNaN(rowCount) ? ProjectSupport.NONE : ProjectSupport.WITHOUT_FIELD_REORDERING;
  }

  @Override
  public BeamTableStatistics getTableStatistics(PipelineOptions options) {
    return Double.isNaN(rowCount)
        ? BeamTableStatistics.BOUNDED_UNKNOWN
        : BeamTableStatistics.createBoundedTableStatistics(rowCount);
  }

  @Override
  public POutput buildIOWriter(PCollection<Row> input) {
    throw new UnsupportedOperationException("read-only");
  }

  @Override
  public IsBounded isBounded() {
    return IsBounded.BOUNDED;
  }

  @Override
  public Schema getSchema() {
    return schema;
  }
}
