// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.database.JoinOrder;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A split of a file that lies here. */
record FileInput(Table table, Split split) implements PlanInput {

  @Override
  public String named(String message, Path file) {
    return message.replace(file.toString(), table.file().toString());
  }

  @Override
  public boolean mayBeLinks() {
    return true;
  }

  @Override
  public JoinOrder joinOrder() {
    return isText() ? JoinOrder.OF_THE_QUERY : JoinOrder.OF_THE_ENGINE;
  }

  /** Whether a scan has to find columns in text. */
  boolean isText() {
    return !(table.format() instanceof ParquetFormat);
  }

  @Override
  public void place(Path file, LongConsumer watch) throws IOException {
    // What lies here may be copied here without a limit.
    LongConsumer uncounted = bytes -> watch.accept(0);
    if (table.format() instanceof CsvFormat csv) {
      CsvScan.cut(table, csv, split, file, uncounted);
    } else if (table.format() instanceof TextFormat text) {
      CsvScan.cut(table, text.settled(), split, file, uncounted);
      try (SplitBytes bytes = SplitBytes.of(table.file())) {
        CsvScan.settle(
            file, table.columns(), text, split, table.file().toString(), bytes, uncounted);
      }
    } else {
      Files.createSymbolicLink(file, table.file().toRealPath());
    }
  }

  @Override
  public Optional<String> damage(
      Connection database,
      RowType scan,
      GroupFilter wanted,
      Path file,
      ParquetDamage.StatementWatch running)
      throws IOException, SQLException {
    if (table.format() instanceof ParquetFormat) {
      return ParquetDamage.find(database, file, scan, split, wanted, running)
          .map(place -> place + " of " + table.file());
    }
    try (SplitBytes bytes = SplitBytes.of(table.file())) {
      return TextDamage.find(table.format(), bytes, table.file().toString());
    }
  }

  @Override
  public ScanQuery query(
      Connection database, RowType scan, GroupFilter wanted, Path file, LongConsumer watch)
      throws IOException, SQLException {
    if (table.format() instanceof CsvFormat csv) {
      return ScanQuery.of(CsvScan.query(table.columns(), csv, split, scan, file));
    }
    if (table.format() instanceof TextFormat text) {
      return ScanQuery.of(CsvScan.query(table.columns(), text, split, scan, file));
    }
    ParquetFile parquet = ParquetFile.read(database, file);
    return ParquetScan.query(
        scan, file, table.file().toString(), parquet, GroupChoice.of(parquet, split, wanted));
  }
}
