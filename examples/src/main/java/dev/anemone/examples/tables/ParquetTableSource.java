// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.BlockBasedSource;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.beam.sdk.schemas.SchemaCoder;
import org.apache.beam.sdk.values.Row;
import org.apache.parquet.column.ColumnReadStore;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Reads some columns of the Parquet files of a table, on any of Beam's file systems. Of a row group
 * only the pages of these columns are read. A file can be split into row groups: one belongs to the
 * part in which its first byte lies.
 */
final class ParquetTableSource extends BlockBasedSource<Row> {
  private static final long serialVersionUID = 1;

  /** The smallest part that is worth a task of its own. */
  private static final long MINIMUM_PART_BYTES = 1 << 16;

  private final DataTable table;
  private final Schema schema;

  /**
   * A source of all files that a pattern matches.
   *
   * @param schema the wanted columns of the table, in any order
   */
  ParquetTableSource(String pattern, DataTable table, Schema schema) {
    super(StaticValueProvider.of(pattern), MINIMUM_PART_BYTES);
    this.table = table;
    this.schema = schema;
  }

  private ParquetTableSource(Metadata file, long start, long end, DataTable table, Schema schema) {
    super(file, MINIMUM_PART_BYTES, start, end);
    this.table = table;
    this.schema = schema;
  }

  @Override
  protected ParquetTableSource createForSubrangeOfFile(Metadata file, long start, long end) {
    return new ParquetTableSource(file, start, end, table, schema);
  }

  @Override
  protected BlockBasedReader<Row> createSingleFileReader(PipelineOptions options) {
    return new Reader(this);
  }

  @Override
  public Coder<Row> getOutputCoder() {
    return SchemaCoder.of(schema);
  }

  /** Reads the row groups of a part one after the other. */
  private static final class Reader extends BlockBasedReader<Row> {
    private final Schema schema;
    private final DataTable table;
    private ParquetFileReader file;
    private MessageType columns;
    private ParquetColumn[] converters;
    private List<BlockMetaData> groups;
    private int nextGroup;
    private RowGroup current;

    Reader(ParquetTableSource source) {
      super(source);
      schema = source.schema;
      table = source.table;
    }

    @Override
    public synchronized ParquetTableSource getCurrentSource() {
      return (ParquetTableSource) super.getCurrentSource();
    }

    @Override
    protected void startReading(ReadableByteChannel channel) throws IOException {
      file = ParquetFiles.open(channel, getCurrentSource().getSingleFileMetadata());
      groups = file.getRowGroups();
      MessageType all = file.getFooter().getFileMetaData().getSchema();
      List<Type> wanted =
          schema.getFields().stream()
              .map(field -> ParquetFiles.column(all, field.getName()))
              .toList();
      columns = new MessageType(table.tableName(), wanted);
      file.setRequestedSchema(columns);
      converters = new ParquetColumn[wanted.size()];
      for (int column = 0; column < converters.length; column++) {
        Field field = schema.getField(column);
        converters[column] = ParquetColumn.of(wanted.get(column), field);
      }
      long start = getCurrentSource().getStartOffset();
      while (nextGroup < groups.size() && groups.get(nextGroup).getStartingPos() < start) {
        file.skipNextRowGroup();
        nextGroup++;
      }
    }

    @Override
    public boolean readNextBlock() throws IOException {
      // The rows of a group behind the end of this part belong to another one: nothing is read.
      if (nextGroup == groups.size()
          || groups.get(nextGroup).getStartingPos() >= getCurrentSource().getEndOffset()) {
        return false;
      }
      PageReadStore pages = file.readNextRowGroup();
      current = new RowGroup(pages, groups.get(nextGroup));
      nextGroup++;
      return true;
    }

    @Override
    public Block<Row> getCurrentBlock() {
      return current;
    }

    @Override
    public long getCurrentBlockSize() {
      return current.metadata.getCompressedSize();
    }

    @Override
    public long getCurrentBlockOffset() {
      return current.metadata.getStartingPos();
    }

    @Override
    public void close() throws IOException {
      if (file != null) {
        file.close();
      }
      super.close();
    }

    /** The rows of one group. */
    private final class RowGroup extends Block<Row> {
      private final BlockMetaData metadata;
      private final ColumnReader[] readers;
      private final int[] presentLevels;
      private long rows;
      private Row row;

      RowGroup(PageReadStore pages, BlockMetaData metadata) {
        this.metadata = metadata;
        ColumnReadStore store =
            new ColumnReadStoreImpl(
                pages,
                new RowConverter(converters),
                columns,
                file.getFooter().getFileMetaData().getCreatedBy());
        readers = new ColumnReader[converters.length];
        presentLevels = new int[converters.length];
        for (int column = 0; column < readers.length; column++) {
          readers[column] = store.getColumnReader(columns.getColumns().get(column));
          presentLevels[column] = columns.getColumns().get(column).getMaxDefinitionLevel();
        }
      }

      @Override
      public boolean readNextRecord() {
        if (rows == metadata.getRowCount()) {
          return false;
        }
        rows++;
        Object[] values = new Object[readers.length];
        for (int column = 0; column < readers.length; column++) {
          ColumnReader reader = readers[column];
          if (reader.getCurrentDefinitionLevel() == presentLevels[column]) {
            reader.writeCurrentValueToConverter();
            values[column] = converters[column].take();
          } else if (!schema.getField(column).getType().getNullable()) {
            throw missing(column);
          }
          reader.consume();
        }
        row = Row.withSchema(schema).attachValues(values);
        return true;
      }

      private IllegalArgumentException missing(int column) {
        return new IllegalArgumentException(
            getCurrentSource()
                + ", row "
                + rows
                + " of the row group at byte "
                + getCurrentBlockOffset()
                + ": column "
                + schema.getField(column).getName()
                + " of table "
                + table.tableName()
                + " is NULL, which it cannot be.");
      }

      @Override
      public Row getCurrentRecord() {
        return row;
      }

      @Override
      public double getFractionOfBlockConsumed() {
        return (double) rows / metadata.getRowCount();
      }
    }
  }

  /** Tells Parquet where the values of each column go. */
  private static final class RowConverter extends GroupConverter {
    private final ParquetColumn[] converters;

    RowConverter(ParquetColumn[] converters) {
      this.converters = converters;
    }

    @Override
    public Converter getConverter(int column) {
      return converters[column];
    }

    @Override
    public void start() {
      // Rows are put together by the reader.
    }

    @Override
    public void end() {
      // Likewise.
    }
  }
}
