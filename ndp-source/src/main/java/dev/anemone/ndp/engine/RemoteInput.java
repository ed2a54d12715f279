// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.LongConsumer;

/** A split of a file that lies elsewhere, of which the bytes that the plan reads are copied. */
record RemoteInput(FileFormat format, RowType columns, SplitBytes bytes, Split split)
    implements PlanInput {

  @Override
  public void place(Path file, LongConsumer watch) throws IOException {
    if (format instanceof CsvFormat csv) {
      CsvScan.copy(bytes, csv, split, file, watch);
    } else if (format instanceof TextFormat text) {
      CsvScan.copy(bytes, text.settled(), split, file, watch);
      CsvScan.settle(file, columns, text, split, bytes.name(), bytes, watch);
    } else {
      ParquetCopy.footer(bytes, file, watch);
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
    return format instanceof ParquetFormat
        ? ParquetDamage.find(database, file, scan, split, wanted, running)
            .map(place -> place + " of " + bytes.name())
        : TextDamage.find(format, bytes, bytes.name());
  }

  @Override
  public ScanQuery query(
      Connection database, RowType scan, GroupFilter wanted, Path file, LongConsumer watch)
      throws IOException, SQLException {
    if (format instanceof CsvFormat csv) {
      return ScanQuery.of(CsvScan.query(columns, csv, split, scan, file));
    }
    if (format instanceof TextFormat text) {
      return ScanQuery.of(CsvScan.query(columns, text, split, scan, file));
    }
    ParquetFile parquet = ParquetFile.read(database, file);
    GroupChoice choice = GroupChoice.of(parquet, split, wanted);
    ParquetCopy.columns(
        bytes,
        ParquetFile.columnChunksOf(scan, choice.groups()),
        parquet.filteredColumnChunksOf(scan),
        file,
        watch);
    return ParquetScan.query(scan, file, bytes.name(), parquet, choice);
  }
}
