// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.sql;

import dev.anemone.examples.files.Location;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResolveOptions.StandardResolveOptions;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.util.MimeTypes;
import org.apache.beam.sdk.values.Row;

/**
 * A directory on any of Beam's file systems into which small results are written as CSV (RFC 4180,
 * but with line feeds): a line of column names, one line per row, no value where SQL has NULL, and
 * quotes where a text needs them or is empty. A file appears when it is complete, in place of one
 * of the same name. Thread-safe.
 */
public final class CsvDirectory {
  private static final Pattern SPECIAL = Pattern.compile("[\",\r\n]");

  private final ResourceId directory;

  private CsvDirectory(ResourceId directory) {
    this.directory = directory;
  }

  /**
   * Checks that files can be written to a directory, which is created where it does not exist; on
   * other file systems than the local one that shows when the first file is written.
   *
   * @param option the command line option that gave the directory, for the message
   * @throws IllegalArgumentException if the directory cannot be written to; the message names the
   *     option, the path and the reason
   */
  public static CsvDirectory prepare(String option, String path) {
    Location location = new Location(option, path);
    if (location.isLocal()) {
      location.requireWritable(location.path());
    }
    return new CsvDirectory(FileSystems.matchNewResource(path, true));
  }

  /**
   * Writes rows as {@code name.csv}.
   *
   * @throws IOException if the file cannot be written
   */
  public void write(String name, Schema schema, List<Row> rows) throws IOException {
    ResourceId unfinished = file("." + name + "-" + UUID.randomUUID());
    try (Writer out =
        new BufferedWriter(
            Channels.newWriter(
                FileSystems.create(unfinished, MimeTypes.TEXT), StandardCharsets.UTF_8))) {
      out.write(text(schema, rows));
    }
    ResourceId file = file(name + ".csv");
    FileSystems.rename(List.of(unfinished), List.of(file));
  }

  private ResourceId file(String name) {
    return directory.resolve(name, StandardResolveOptions.RESOLVE_FILE);
  }

  /** The rows as CSV. */
  static String text(Schema schema, List<Row> rows) {
    StringBuilder text = new StringBuilder();
    appendLine(text, schema.getFieldNames());
    for (Row row : rows) {
      appendLine(text, row.getValues());
    }
    return text.toString();
  }

  private static void appendLine(StringBuilder text, List<?> values) {
    for (int column = 0; column < values.size(); column++) {
      text.append(column == 0 ? "" : ",");
      if (values.get(column) != null) {
        text.append(value(values.get(column)));
      }
    }
    text.append('\n');
  }

  private static String value(Object value) {
    String plain = value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
    return plain.isEmpty() || SPECIAL.matcher(plain).find()
        ? "\"" + plain.replace("\"", "\"\"") + "\""
        : plain;
  }
}
