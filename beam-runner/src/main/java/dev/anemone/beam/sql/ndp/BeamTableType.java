// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.FileFormat;
import dev.anemone.ndp.engine.ParquetFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.beam.sdk.extensions.sql.meta.BeamSqlTable;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;
import org.apache.beam.sdk.extensions.sql.meta.provider.parquet.ParquetTableProvider;

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
  };

  /** Beam's provider of such tables. */
  abstract TableProvider provider();

  /** How the rows lie in the files. */
  abstract FileFormat format(Table table) throws OtherRowsException;

  /** The files at a location, as Beam's reader takes it. */
  abstract String pattern(String location);

  /** Whether Beam's provider of this type has made a table, and not another one of that name. */
  boolean made(Table table, BeamSqlTable ofBeam) {
    return provider().getTableType().equals(table.getType())
        && provider().buildBeamSqlTable(table).getClass() == ofBeam.getClass();
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
      return NdpTable.of(table, columns, format, this::pattern);
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
