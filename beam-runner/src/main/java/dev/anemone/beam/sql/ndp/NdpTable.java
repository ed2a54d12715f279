// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.ndp.BatchForm;
import dev.anemone.beam.ndp.NdpRead;
import dev.anemone.beam.ndp.RowForm;
import dev.anemone.beam.ndp.TableFiles;
import dev.anemone.beam.ndp.TableFormat;
import dev.anemone.beam.sql.row.CompactRowCoder;
import dev.anemone.ir.relational.DataType;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RelationalPlan;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.extensions.sql.impl.BeamTableStatistics;
import org.apache.beam.sdk.extensions.sql.meta.BaseBeamTable;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.PBegin;
import org.apache.beam.sdk.values.PCollection;
import org.apache.beam.sdk.values.PCollection.IsBounded;
import org.apache.beam.sdk.values.POutput;
import org.apache.beam.sdk.values.Row;

/** A table of files. Any planner can read it whole; ours reads what a query needs. */
public final class NdpTable extends BaseBeamTable {

  /** Bytes of a value in a file, of a text and of anything else, for estimates only. */
  private static final int TEXT_BYTES = 20;

  private static final int VALUE_BYTES = 8;

  /** Columns of Parquet are encoded and compressed. */
  private static final double PARQUET_RATIO = 0.4;

  private final String name;
  private final Schema schema;
  private final RowType columns;
  private final FileFormat format;
  private final TableFiles files;

  private NdpTable(
      String name, Schema schema, RowType columns, FileFormat format, TableFiles files) {
    this.name = name;
    this.schema = schema;
    this.columns = columns;
    this.format = format;
    this.files = files;
  }

  static NdpTable of(Table table) {
    try {
      return of(
          table,
          NdpColumns.of(table.getSchema(), table.getProperties()),
          TableFormat.of(table.getProperties(), Set.of(NdpColumns.DECIMALS)),
          UnaryOperator.identity());
    } catch (IllegalArgumentException | InvalidPlanException e) {
      throw wrong(table, e);
    }
  }

  /**
   * A table of any type.
   *
   * @param pattern the files at its location, as a file, a pattern or a directory
   * @throws IllegalArgumentException when it has no files
   */
  static NdpTable of(
      Table table, RowType columns, FileFormat format, UnaryOperator<String> pattern) {
    if (table.getLocation() == null || table.getLocation().isBlank()) {
      throw new IllegalArgumentException("it has no LOCATION; name a file or directory");
    }
    return new NdpTable(
        table.getName(),
        table.getSchema(),
        columns,
        format,
        TableFiles.at(pattern.apply(table.getLocation())));
  }

  /** Says which table is wrong. */
  static IllegalArgumentException wrong(Table table, RuntimeException what) {
    return new IllegalArgumentException(
        "Table " + table.getName() + " of TYPE " + table.getType() + ": " + what.getMessage() + ".",
        what);
  }

  /** What the table is called. */
  public String name() {
    return name;
  }

  /** All columns, those of the schema in its order. */
  public RowType columns() {
    return columns;
  }

  /** How the rows lie in the files. */
  public FileFormat format() {
    return format;
  }

  /** The paths of its files. */
  List<String> paths() {
    return files.files().stream().map(TableFiles.TableFile::path).toList();
  }

  /** The paths of its files, if all of them are on this machine; else none. */
  public List<String> localFiles() {
    List<String> paths = paths();
    return paths.stream().allMatch(path -> path.startsWith("/")) ? paths : List.of();
  }

  /** Whether its files are lines of text. */
  boolean isText() {
    return !(format instanceof ParquetFormat);
  }

  /** A read of a part of the table. */
  NdpRead<Row> read(RelationalPlan plan, Schema result) {
    return read(plan, new RowForm(result), CompactRowCoder.of(result));
  }

  /**
   * A read of a part of the table.
   *
   * @param form of what the plan gives
   * @param coder of its elements
   */
  public <T> NdpRead<T> read(RelationalPlan plan, BatchForm<T> form, Coder<T> coder) {
    return new NdpRead<>(files.location(), format, columns, plan, form, coder);
  }

  @Override
  public PCollection<Row> buildIOReader(PBegin begin) {
    return begin.apply("Read " + name, read(new RelationalPlan(columns, List.of()), schema));
  }

  @Override
  public POutput buildIOWriter(PCollection<Row> input) {
    throw new UnsupportedOperationException(
        "Table " + name + " is read-only: its files are written by others.");
  }

  /** About how many rows its files have, at least 1. */
  double rows() {
    double rowBytes = columns.fields().stream().mapToInt(NdpTable::bytes).sum();
    double ratio = isPlain(format) ? 1 : PARQUET_RATIO;
    return Math.max(1, files.bytes() / (rowBytes * ratio));
  }

  @Override
  public BeamTableStatistics getTableStatistics(PipelineOptions options) {
    return BeamTableStatistics.createBoundedTableStatistics(rows());
  }

  private static boolean isPlain(FileFormat format) {
    return format instanceof TextFormat
        || (format instanceof CsvFormat csv && csv.compression() == CsvFormat.Compression.NONE);
  }

  private static int bytes(Field field) {
    DataType type = field.type().type();
    return type == SimpleType.STRING ? TEXT_BYTES : VALUE_BYTES;
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
