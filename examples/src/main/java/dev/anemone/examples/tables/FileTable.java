// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.beam.sdk.extensions.sql.impl.BeamTableStatistics;
import org.apache.beam.sdk.extensions.sql.meta.BaseBeamTable;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTableFilter;
import org.apache.beam.sdk.extensions.sql.meta.ProjectSupport;
import org.apache.beam.sdk.extensions.sql.meta.provider.ReadOnlyTableProvider;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.io.Read;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.Row;

/**
 * A table of a data set for Beam SQL. It reads only the columns that a query uses, and tells the
 * planner how many rows there are. Not thread-safe: a query has tables of its own.
 */
final class FileTable extends BaseBeamTable {
  private final TableFiles files;
  private final DataTable table;

  /** Asked for again and again by planners; negative as long as it is not known. */
  private double rows = -1;

  FileTable(TableFiles files) {
    this.files = files;
    this.table = files.table();
  }

  /** A provider of all tables. */
  static TableProvider provider(DataSet dataSet) {
    Map<String, BeamSqlTable> tables = new HashMap<>();
    for (TableFiles files : dataSet.tables()) {
      tables.put(files.table().tableName(), new FileTable(files));
    }
    return new ReadOnlyTableProvider("files", tables);
  }

  @Override
  public PCollection<Row> buildIOReader(PBegin begin) {
    return read(begin, table.schema());
  }

  @Override
  public PCollection<Row> buildIOReader(
      PBegin begin, BeamSqlTableFilter filters, List<String> fieldNames) {
    if (fieldNames.isEmpty()) {
      return buildIOReader(begin);
    }
    return read(
        begin, table.schema().getFields().stream().filter(f -> fieldNames.contains(f.getName())));
  }

  private PCollection<Row> read(PBegin begin, Stream<Field> fields) {
    return read(begin, fields.collect(Schema.toSchema()));
  }

  private PCollection<Row> read(PBegin begin, Schema schema) {
    return begin
        .apply("Read " + table.tableName(), Read.from(files.source(schema)))
        .setRowSchema(schema);
  }

  @Override
  public ProjectSupport supportsProjects() {
    return ProjectSupport.WITHOUT_FIELD_REORDERING;
  }

  @Override
  public BeamTableStatistics getTableStatistics(PipelineOptions options) {
    if (rows < 0) {
      try {
        rows = files.rows();
      } catch (IOException notReadable) {
        throw new UncheckedIOException(notReadable);
      }
    }
    return BeamTableStatistics.createBoundedTableStatistics(rows);
  }

  @Override
  public POutput buildIOWriter(PCollection<Row> input) {
    throw new UnsupportedOperationException(
        "Table " + table.tableName() + " is read-only: its data is generated, not inserted.");
  }

  @Override
  public IsBounded isBounded() {
    return IsBounded.BOUNDED;
  }

  @Override
  public Schema getSchema() {
    return table.schema();
  }
}
