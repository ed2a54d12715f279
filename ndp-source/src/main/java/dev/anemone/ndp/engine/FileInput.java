// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.LongConsumer;

/** A split of a file that lies here. */
record FileInput(Table table, Split split) implements PlanInput {

  @Override
  public String named(String message, Path file) {
    return message.replace(file.toString(), table.file().toString());
  }

  @Override
  public void place(Path file, LongConsumer watch) throws IOException {
    if (table.format() instanceof CsvFormat csv) {
      CsvScan.cut(table, csv, split, file, bytes -> watch.accept(0));
    } else {
      Files.createSymbolicLink(file, table.file().toRealPath());
    }
  }

  @Override
  public String query(Connection database, RowType scan, Path file, LongConsumer watch)
      throws IOException, SQLException {
    return table.format() instanceof CsvFormat csv
        ? CsvScan.query(table.columns(), csv, split, scan, file)
        : ParquetScan.query(
            scan, file, table.file().toString(), ParquetFile.read(database, file), split);
  }
}
