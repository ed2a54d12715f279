// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.Field;
import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.sql.PlanSql;
import dev.anemone.ndp.sql.SqlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongConsumer;

/**
 * Gives the engine the records of a split of text: a file of exactly these bytes, which is the
 * table's own by another name when that lies here and the split has all of it.
 */
final class CsvScan {

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
        Files.createSymbolicLink(target, table.file().toRealPath());
      } else {
        copy(bytes, format, split, target, watch);
      }
    }
  }

  /** The same for a table that lies elsewhere: reads little more than the split. */
  static void copy(SplitBytes bytes, CsvFormat format, Split split, Path target, LongConsumer watch)
      throws IOException {
    long size = bytes.size();
    if (format.compression() != CsvFormat.Compression.NONE && !isWhole(split, size)) {
      throw new NdpEngineException(
          "the file is compressed and cannot be divided; a split of it must have all of its "
              + size
              + " bytes");
    }
    try (CsvRecords records = new CsvRecords(bytes, format, watch);
        RangeCopy copy = new RangeCopy(bytes, target, watch)) {
      long from = records.boundaryAt(split.start());
      long to = records.boundaryAt(Math.max(from, split.end()));
      copy.range(from, to - from, 0);
    }
  }

  private static boolean isWhole(Split split, long size) {
    return split.start() == 0 && split.end() >= size;
  }

  /** The query of a plan's scan, over the file that {@link #cut} made. */
  static String query(RowType table, CsvFormat format, Split split, RowType scan, Path file)
      throws IOException {
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < table.fields().size(); i++) {
      Field field = table.fields().get(i);
      columns.append(i == 0 ? "" : ", ").append(SqlText.string("t" + i)).append(": ");
      columns.append(SqlText.string(SqlText.type(field.type().type())));
    }
    StringBuilder selected = new StringBuilder();
    for (int i = 0; i < scan.fields().size(); i++) {
      int index = table.indexOf(scan.fields().get(i).name()).orElseThrow();
      selected.append(i == 0 ? "t" : ", t").append(index).append(" AS ");
      selected.append(PlanSql.column(0, i));
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
        + lineEnd(format, file)
        + ")";
  }

  private static String lineEnd(CsvFormat format, Path file) throws IOException {
    if (format.compression() != CsvFormat.Compression.NONE) {
      return "";
    }
    try (SplitBytes input = SplitBytes.of(file);
        CsvRecords records = new CsvRecords(input, format, bytes -> {})) {
      return records.endWithCarriageReturn() ? ", new_line = '\\r\\n'" : ", new_line = '\\n'";
    }
  }
}
