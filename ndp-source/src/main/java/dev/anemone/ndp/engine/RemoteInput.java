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
import java.util.List;
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
    }
  }

  /** Of Parquet the engine reads the file's own footer, if it does, from a second file. */
  @Override
  public List<Path> paths(Path file) {
    return format instanceof ParquetFormat ? List.of(file, footer(file)) : List.of(file);
  }

  private static Path footer(Path file) {
    return file.resolveSibling("footer");
  }

  @Override
  public Optional<String> damage(
      Connection database,
      RowType scan,
      GroupFilter wanted,
      Path file,
      ParquetDamage.StatementWatch running)
      throws IOException, SQLException {
    if (!(format instanceof ParquetFormat)) {
      return TextDamage.find(format, bytes, bytes.name());
    }
    byte[] end = ParquetCopy.endOf(bytes);
    ParquetCopy.finish(bytes.size() - end.length, end, file, bytes, copied -> {});
    return ParquetDamage.find(database, file, scan, split, wanted, running)
        .map(place -> place + " of " + bytes.name());
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
    byte[] end = ParquetCopy.endOf(bytes);
    long start = bytes.size() - end.length;
    ParquetFooter footer =
        ParquetFooters.OF_PROCESS.of(end, () -> read(database, end, footer(file), watch));
    GroupChoice choice = GroupChoice.of(footer.file(), split, wanted);
    ParquetFile chosen = footer.file().only(choice.groups());
    ParquetCopy.columns(
        bytes,
        ParquetFile.columnChunksOf(scan, chosen.groups()),
        chosen.filteredColumnChunksOf(scan),
        start,
        file,
        watch);
    ParquetCopy.finish(start, footer.endWith(choice.groups()), file, bytes, watch);
    return ParquetScan.query(scan, file, bytes.name(), chosen, choice.allOf(chosen));
  }

  private ParquetFile read(Connection database, byte[] end, Path file, LongConsumer watch)
      throws IOException, SQLException {
    ParquetCopy.finish(bytes.size() - end.length, end, file, bytes, watch);
    return ParquetFile.read(database, file);
  }
}
