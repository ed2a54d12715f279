// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.sql.ndp;

import dev.anemone.beam.columnar.FileTarget;
import dev.anemone.ir.relational.InvalidPlanException;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.format.FileFormat;
import org.apache.beam.sdk.extensions.sql.meta.Table;
import org.apache.beam.sdk.extensions.sql.meta.provider.TableProvider;

/**
 * A table of one of Beam's own types that is written in columns.
 *
 * @param name what it is called
 * @param columns all of them, with the digits of decimals
 * @param format of its files
 * @param target where they go, as Beam names them
 */
public record WrittenTable(String name, RowType columns, FileFormat format, FileTarget target) {

  /**
   * A table.
   *
   * @param knownBy what has made it
   * @throws OtherRowsException when only Beam's writer can write it; says why
   * @throws IllegalArgumentException when it has no location
   */
  public static WrittenTable of(Table table, TableProvider knownBy) throws OtherRowsException {
    BeamTableType type = BeamTableType.of(table, knownBy);
    FileFormat format = type.format(table);
    RowType columns;
    try {
      columns = NdpColumns.of(table.getSchema(), table.getProperties());
    } catch (IllegalArgumentException | InvalidPlanException notOurs) {
      throw new OtherRowsException(notOurs.getMessage(), notOurs);
    }
    if (table.getLocation() == null || table.getLocation().isBlank()) {
      throw NdpTable.wrong(
          table, new IllegalArgumentException("it has no LOCATION; name a file or directory"));
    }
    return new WrittenTable(table.getName(), columns, format, type.target(table.getLocation()));
  }
}
