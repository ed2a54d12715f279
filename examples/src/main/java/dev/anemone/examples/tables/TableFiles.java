// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.beam.sdk.io.Compression;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.values.Row;

/**
 * The files of a table in a data set.
 *
 * @param pattern that matches them, as Beam's file systems take it
 * @param format of all of them
 * @param files in the order of their names, at least one
 */
public record TableFiles(DataTable table, String pattern, Format format, List<Metadata> files) {

  /** How much larger the lines of a table are than what common programs make of them. */
  private static final double COMPRESSION = 3;

  /** What a table's files hold, and how they are called. */
  public enum Format {
    /** Lines as the generators of the TPC write them, compressed or not, in one file or several. */
    TEXT("%s%s*"),
    /** A Parquet file, a directory of them that has the name of a file, or a plain directory. */
    PARQUET("%s.parquet", "%s.parquet/*.parquet", "%s/*.parquet");

    @SuppressWarnings("ImmutableEnumChecker") // A list that cannot be changed.
    private final List<String> names;

    Format(String... names) {
      this.names = List.of(names);
    }

    private Stream<String> patterns(String directory, DataTable table) {
      return names.stream()
          .map(name -> directory + String.format(name, table.tableName(), table.textSuffix()));
    }
  }

  public TableFiles {
    files = List.copyOf(files);
  }

  /**
   * Finds the files of a table.
   *
   * @param directory ends with the separator of its file system
   * @return empty if there are none
   * @throws IllegalArgumentException if there are files under several names, of which it is not
   *     clear which ones are meant
   * @throws IOException if the file system cannot be asked
   */
  static Optional<TableFiles> find(String directory, DataTable table) throws IOException {
    List<TableFiles> found = new ArrayList<>();
    for (Format format : Format.values()) {
      List<String> patterns = format.patterns(directory, table).toList();
      List<MatchResult> matches = FileSystems.match(patterns, EmptyMatchTreatment.ALLOW);
      for (int i = 0; i < patterns.size(); i++) {
        List<Metadata> files =
            matches.get(i).metadata().stream()
                .filter(file -> !file.resourceId().isDirectory())
                .sorted((a, b) -> name(a).compareTo(name(b)))
                .toList();
        if (!files.isEmpty()) {
          found.add(new TableFiles(table, patterns.get(i), format, files));
        }
      }
    }
    if (found.size() > 1) {
      throw new IllegalArgumentException(
          "--data="
              + directory
              + " holds table "
              + table.tableName()
              + " twice: "
              + name(found.get(0).files.get(0))
              + " and "
              + name(found.get(1).files.get(0))
              + ". Leave one of them.");
    }
    return found.stream().findFirst();
  }

  private static String name(Metadata file) {
    return file.resourceId().toString();
  }

  /** A source of some columns, in the order of the schema. */
  public FileBasedSource<Row> source(Schema columns) {
    return switch (format) {
      case TEXT -> TextTableSource.of(pattern, table, columns);
      case PARQUET -> new ParquetTableSource(pattern, table, columns);
    };
  }

  /** The size of all files in bytes. */
  public long bytes() {
    return files.stream().mapToLong(Metadata::sizeBytes).sum();
  }

  /**
   * How many rows the table has: exactly where the files tell, otherwise estimated by their size.
   *
   * @throws IOException if a file cannot be read
   */
  public double rows() throws IOException {
    double rows = 0;
    for (Metadata file : files) {
      rows +=
          switch (format) {
            case TEXT ->
                file.sizeBytes()
                    * (isCompressed(file) ? COMPRESSION : 1)
                    / table.averageLineBytes();
            case PARQUET -> ParquetFiles.rows(file);
          };
    }
    return rows;
  }

  private static boolean isCompressed(Metadata file) {
    return Compression.AUTO.isCompressed(name(file));
  }

  /**
   * Checks that the first file has the columns of the table.
   *
   * @throws IllegalArgumentException if it has not; the message says in which file, what was found,
   *     and what would be right
   * @throws IOException if the file cannot be read
   */
  void check() throws IOException {
    Metadata first = files.get(0);
    switch (format) {
      case TEXT -> checkFirstLine(first);
      case PARQUET -> ParquetFiles.check(first, table);
    }
  }

  private void checkFirstLine(Metadata file) throws IOException {
    String line;
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Channels.newInputStream(
                    Compression.detect(name(file))
                        .readDecompressed(FileSystems.open(file.resourceId()))),
                StandardCharsets.UTF_8))) {
      line = reader.readLine();
    }
    if (line == null) {
      throw new IllegalArgumentException(
          "The file " + name(file) + " of table " + table.tableName() + " is empty.");
    }
    int columns = LineParser.columns(line);
    if (columns != table.schema().getFieldCount()) {
      throw new IllegalArgumentException(
          "The file "
              + name(file)
              + ", line 1, has "
              + columns
              + " columns, but table "
              + table.tableName()
              + " has "
              + table.schema().getFieldCount()
              + ", separated by |: "
              + String.join(", ", table.schema().getFieldNames())
              + ". The line: "
              + line);
    }
  }
}
