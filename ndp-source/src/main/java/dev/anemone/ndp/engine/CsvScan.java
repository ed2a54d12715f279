// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ir.relational.SimpleType;
import dev.anemone.ndp.engine.inflate.ZstdFrames;
import dev.anemone.ndp.engine.split.Split;
import dev.anemone.ndp.engine.split.SplitBytes;
import dev.anemone.ndp.format.CsvFormat;
import dev.anemone.ndp.format.TextFormat;
import dev.anemone.ndp.sql.PlanSql;
import dev.anemone.ndp.sql.SqlText;
import dev.anemone.ndp.text.BadLineException;
import dev.anemone.ndp.text.LineFile;
import dev.anemone.ndp.text.TextDialect;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * Gives the engine the records of a split of text: a file of exactly these bytes, which is the
 * table's own by another name when that lies here and the split has all of it.
 */
final class CsvScan {

  private static final int BUFFER_BYTES = 1 << 16;

  /**
   * What the engine takes of a pipe at once, while nobody parses: twice the longest line that it
   * knows. Its own default is four times that of a file, and as much memory.
   */
  private static final int PIPE_BUFFER_BYTES = 4_000_000;

  private CsvScan() {}

  /**
   * Puts the file for the engine in place, for a table that lies here.
   *
   * @param target the path to make
   * @param watch told between reads how much is about to be copied; breaks off by throwing
   */
  static void cut(Table table, CsvFormat format, Split split, Path target, LongConsumer watch)
      throws IOException {
    try (SplitBytes bytes = SplitBytes.of(table.file())) {
      if (isWhole(split, bytes.size())) {
        if (format.compression() == CsvFormat.Compression.ZSTD) {
          ZstdFrames.requireWhole(table.file());
        }
        Files.createSymbolicLink(target, table.file().toRealPath());
      } else {
        copy(bytes, format, split, target, watch);
      }
    }
  }

  /** The same for a table that lies elsewhere: reads little more than the split. */
  static void copy(SplitBytes bytes, CsvFormat format, Split split, Path target, LongConsumer watch)
      throws IOException {
    requireDivisible(bytes, format, split);
    try (CsvRecords records = new CsvRecords(bytes, format, watch);
        RangeCopy copy = new RangeCopy(bytes, target, watch)) {
      long from = records.boundaryAt(split.start());
      long to = records.boundaryAt(Math.max(from, split.end()));
      copy.range(from, to - from, 0);
    }
  }

  /**
   * Looks whether there is such a split of the file.
   *
   * @throws NdpEngineException when it is a part of a compressed file
   */
  static void requireDivisible(SplitBytes bytes, CsvFormat format, Split split) throws IOException {
    if (format.compression() != CsvFormat.Compression.NONE && !isWhole(split, bytes.size())) {
      throw new NdpEngineException(
          bytes.name()
              + " is compressed and cannot be divided; a split of it must have all of its "
              + bytes.size()
              + " bytes");
    }
  }

  /**
   * Settles the lines of a split that have been put in place.
   *
   * @param placed the file with these lines alone
   * @param name of the table's file, for people
   * @param bytes of the table's file
   */
  static void settle(
      Path placed,
      RowType columns,
      TextFormat format,
      Split split,
      String name,
      SplitBytes bytes,
      LongConsumer watch)
      throws IOException {
    try {
      new LineFile(placed, columns, TextDialect.of(format.dialect()), split.start() == 0, watch)
          .settle();
    } catch (BadLineException e) {
      long line = linesBefore(split, format, bytes, watch) + e.line();
      throw new NdpEngineException("line " + line + " of " + name + ": " + e.getMessage(), e);
    }
  }

  /** Reads all that comes before a split. */
  private static long linesBefore(
      Split split, TextFormat format, SplitBytes bytes, LongConsumer watch) throws IOException {
    long end;
    try (CsvRecords records = new CsvRecords(bytes, format.settled(), watch)) {
      end = records.boundaryAt(split.start());
    }
    long lines = 0;
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream before = bytes.open(0, end)) {
      int last = 0;
      for (int read = before.read(buffer); read > 0; read = before.read(buffer)) {
        watch.accept(0);
        for (int i = 0; i < read; i++) {
          boolean ends = buffer[i] == '\r' || (buffer[i] == '\n' && last != '\r');
          lines += ends ? 1 : 0;
          last = buffer[i];
        }
      }
    }
    return lines;
  }

  private static boolean isWhole(Split split, long size) {
    return split.start() == 0 && split.end() >= size;
  }

  /** The query of a plan's scan, over the file that {@link #cut} made. */
  static String query(RowType table, CsvFormat format, Split split, RowType scan, Path file)
      throws IOException {
    return query(table, format, true, split, scan, file, lineEnd(format, file));
  }

  /**
   * The same over a pipe, through which the records of a split come.
   *
   * @param carriageReturns whether they end with CRLF
   */
  static String streamed(
      RowType table,
      CsvFormat format,
      boolean carriageReturns,
      Split split,
      RowType scan,
      Path file) {
    String options = newLine(carriageReturns) + ", buffer_size = " + PIPE_BUFFER_BYTES;
    return query(table, format, true, split, scan, file, options);
  }

  /** The same over lines that are settled. */
  static String query(RowType table, TextFormat format, Split split, RowType scan, Path file)
      throws IOException {
    CsvFormat settled = format.settled();
    return query(table, settled, format.hasNullTexts(), split, scan, file, lineEnd(settled, file));
  }

  /**
   * Where no text is null, empty ones are found afterwards: DuckDB's own option for that takes the
   * wrong columns when only some are read.
   */
  private static String query(
      RowType table,
      CsvFormat format,
      boolean nullTexts,
      Split split,
      RowType scan,
      Path file,
      String options) {
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < table.fields().size(); i++) {
      Field field = table.fields().get(i);
      columns.append(i == 0 ? "" : ", ").append(SqlText.string("t" + i)).append(": ");
      columns.append(SqlText.string(SqlText.type(field.type().type())));
    }
    StringBuilder selected = new StringBuilder();
    for (int i = 0; i < scan.fields().size(); i++) {
      int index = table.indexOf(scan.fields().get(i).name()).orElseThrow();
      boolean emptied = !nullTexts && scan.fields().get(i).type().type() == SimpleType.STRING;
      selected.append(i == 0 ? "" : ", ");
      selected.append(emptied ? "COALESCE(t" + index + ", '')" : "t" + index);
      selected.append(" AS ").append(PlanSql.column(0, i));
    }
    return "SELECT "
        + selected
        + " FROM read_csv("
        + SqlText.string(file.toString())
        + ", auto_detect = false, columns = {"
        + columns
        + "}, header = "
        + (format.header() && split.start() == 0)
        + ", delim = "
        + SqlText.string(String.valueOf(format.delimiter()))
        + ", quote = "
        + SqlText.string(format.quote().map(String::valueOf).orElse(""))
        + ", escape = "
        + SqlText.string(format.escape().map(String::valueOf).orElse(""))
        + ", nullstr = "
        + SqlText.string(format.nullText())
        + ", allow_quoted_nulls = false, dateformat = '%Y-%m-%d', compression = "
        + SqlText.string(format.compression().name().toLowerCase(Locale.ROOT))
        + options
        + ")";
  }

  private static String lineEnd(CsvFormat format, Path file) throws IOException {
    if (format.compression() != CsvFormat.Compression.NONE) {
      return "";
    }
    try (SplitBytes input = SplitBytes.of(file);
        CsvRecords records = new CsvRecords(input, format, bytes -> {})) {
      return newLine(records.endWithCarriageReturn(0));
    }
  }

  private static String newLine(boolean carriageReturns) {
    return carriageReturns ? ", new_line = '\\r\\n'" : ", new_line = '\\n'";
  }
}
