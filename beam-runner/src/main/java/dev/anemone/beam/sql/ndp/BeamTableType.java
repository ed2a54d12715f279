// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.columnar.FileTarget;
import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.extensions.sql.meta.provider.parquet.ParquetTableProvider;
import org.apache.beam.sdk.extensions.sql.meta.provider.text.TextTableProvider;
import org.apache.beam.sdk.io.Compression;

/** Beam's own types of tables whose files our readers know. */
enum BeamTableType {
  /** Columns by their names. Beam's reader takes a location for a pattern of files. */
  PARQUET {

    @Override
    TableProvider provider() {
      return new ParquetTableProvider();
    }

    @Override
    FileFormat format(Table table) throws OtherRowsException {
      requireKnown(table, Set.of(NdpColumns.DECIMALS));
      return new ParquetFormat();
    }

    @Override
    String pattern(String location) {
      return location.endsWith("/") ? location + "*" : location;
    }

    @Override
    FileTarget target(String location) {
      return FileTarget.inDirectory(location);
    }
  },

  /** Lines of CSV, in a format that commons-csv names. */
  TEXT {

    @Override
    TableProvider provider() {
      return new TextTableProvider();
    }

    @Override
    FileFormat format(Table table) throws OtherRowsException {
      requireKnown(table, Set.of(FORMAT, CSV_FORMAT, NdpColumns.DECIMALS));
      String kind = table.getProperties().path(FORMAT).asText(CSV);
      if (kind.equals("lines") || kind.equals("json")) {
        throw new OtherRowsException("the format " + kind + " is no CSV");
      }
      // Beam takes any other format for that of CSV.
      String older = kind.equals(CSV) ? "Default" : kind;
      return new TextFormat(table.getProperties().path(CSV_FORMAT).asText(older));
    }

    @Override
    String pattern(String location) {
      return location;
    }

    @Override
    FileTarget target(String location) {
      return FileTarget.ofPrefix(location);
    }

    @Override
    void requireSameRows(NdpTable table) throws OtherRowsException {
      for (Field field : table.columns().fields()) {
        if (field.type().type() == SimpleType.TIMESTAMP) {
          throw new OtherRowsException(
              "column "
                  + field.name()
                  + " is TIMESTAMP, which is read in each machine's time zone");
        }
      }
      for (String path : table.paths()) {
        if (Compression.detect(path) != Compression.UNCOMPRESSED) {
          throw new OtherRowsException(path + " is compressed");
        }
      }
    }
  };

  private static final String FORMAT = "format";
  private static final String CSV_FORMAT = "csvformat";
  private static final String CSV = "csv";

  /** Beam's provider of such tables. */
  abstract TableProvider provider();

  /** How the rows lie in the files. */
  abstract FileFormat format(Table table) throws OtherRowsException;

  /** The files at a location, as Beam's reader takes it. */
  abstract String pattern(String location);

  /** Where Beam's writer puts files at a location. */
  abstract FileTarget target(String location);

  /**
   * The type of a table.
   *
   * @param knownBy what has made it
   * @throws OtherRowsException when that is none of these
   */
  static BeamTableType of(Table table, TableProvider knownBy) throws OtherRowsException {
    for (BeamTableType type : values()) {
      if (type.isOf(table) && type.made(table, knownBy.buildBeamSqlTable(table))) {
        return type;
      }
    }
    throw new OtherRowsException("it is of TYPE " + table.getType());
  }

  private boolean isOf(Table table) {
    return name().toLowerCase(Locale.ROOT).equals(table.getType());
  }

  /** Refuses a table of which more than its format must be known. */
  void requireSameRows(NdpTable table) throws OtherRowsException {}

  /** Whether Beam's provider of this type has made a table, and not another one of that name. */
  boolean made(Table table, BeamSqlTable ofBeam) {
    // A provider that is not asked for may need what is not on the class path.
    return isOf(table) && provider().buildBeamSqlTable(table).getClass() == ofBeam.getClass();
  }

  /**
   * The same table as splits.
   *
   * @throws OtherRowsException when its rows might be others
   * @throws IllegalArgumentException when it has no files
   */
  NdpTable ofSplits(Table table) throws OtherRowsException {
    FileFormat format = format(table);
    RowType columns;
    try {
      columns = NdpColumns.of(table.getSchema(), table.getProperties());
    } catch (IllegalArgumentException | InvalidPlanException notOurs) {
      throw new OtherRowsException(notOurs.getMessage(), notOurs);
    }
    try {
      NdpTable splits = NdpTable.of(table, columns, format, this::pattern);
      requireSameRows(splits);
      return splits;
    } catch (IllegalArgumentException e) {
      throw NdpTable.wrong(table, e);
    }
  }

  /** Properties that nobody knows might mean something. */
  private static void requireKnown(Table table, Set<String> known) throws OtherRowsException {
    List<String> unknown = new ArrayList<>();
    table.getProperties().fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(known);
    if (!unknown.isEmpty()) {
      throw new OtherRowsException(
          "the properties " + unknown + " are not known; those of this type are " + known);
    }
  }
}
