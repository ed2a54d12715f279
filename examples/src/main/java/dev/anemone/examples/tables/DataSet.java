// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;

/**
 * Tables in a directory on any of Beam's file systems, one or several files per table: text ({@code
 * orders.tbl}, or {@code orders.tbl.1}, {@code orders.tbl.2} ..., compressed or not), or Parquet
 * ({@code orders.parquet}, or {@code orders/*.parquet}). Immutable and thread-safe.
 */
public final class DataSet {
  private static final String OPTION = "--data";
  private static final double MINIMUM_SCALE = 0.001;
  private static final double MAXIMUM_SCALE = 10_000;

  private final String directory;
  private final Map<DataTable, TableFiles> tables;

  private DataSet(String directory, Map<DataTable, TableFiles> tables) {
    this.directory = directory;
    this.tables = tables;
  }

  /**
   * Opens a data set. On the local file system it is generated first if it is not there.
   *
   * @param directory where the data is or shall be, on any file system of Beam's, which must know
   *     their options already; null for a place under the user's cache directory, one for each name
   *     of a kind
   * @throws IllegalArgumentException if the directory holds something else, or other data of the
   *     kind
   * @throws IOException if the data cannot be read or written
   */
  public static DataSet open(String directory, DataSetKind kind) throws IOException {
    Location location =
        new Location(
            OPTION,
            directory == null
                ? cacheDirectory()
                    .resolve(kind.benchmark())
                    .resolve(kind.directoryName())
                    .toString()
                : directory);
    if (location.isLocal() && isMissingOrEmpty(location.path())) {
      kind.generate(location.path());
    }
    String place = location.isLocal() ? location.path().toString() : location.text();
    DataSet dataSet = new DataSet(place, tables(place, kind.tables()));
    dataSet.requireSame(kind);
    return dataSet;
  }

  private static Map<DataTable, TableFiles> tables(String directory, List<? extends DataTable> all)
      throws IOException {
    String prefix = directory.endsWith("/") ? directory : directory + "/";
    Map<DataTable, TableFiles> tables = new LinkedHashMap<>();
    for (DataTable table : all) {
      TableFiles files =
          TableFiles.find(prefix, table).orElseThrow(() -> missing(directory, table, all.size()));
      files.check();
      tables.put(table, files);
    }
    return tables;
  }

  private static IllegalArgumentException missing(String directory, DataTable table, int all) {
    return new IllegalArgumentException(
        String.format(
            "--data=%1$s has no files of table %2$s: %2$s%3$s, %2$s%3$s.1 ..., %2$s.parquet or"
                + " %2$s/*.parquet. Give a directory with the files of all %4$d tables, or a local"
                + " one that does not exist yet, and the data is generated there.",
            directory, table.tableName(), table.textSuffix(), all));
  }

  /** Where the files are: an absolute path, or an address on another file system of Beam's. */
  public String directory() {
    return directory;
  }

  /** All tables. */
  public Iterable<TableFiles> tables() {
    return tables.values();
  }

  /** The tables whose names are words of a text. */
  DataSet namedIn(String sql) {
    Map<DataTable, TableFiles> named = new LinkedHashMap<>();
    tables.forEach(
        (table, files) -> {
          if (TableAccess.isNamed(table, sql)) {
            named.put(table, files);
          }
        });
    return new DataSet(directory, named);
  }

  /** The files of a table of this data set. */
  public TableFiles files(DataTable table) {
    return tables.get(table);
  }

  /** The file beside the tables that says what data they hold. */
  static String propertiesFile(DataSetKind kind) {
    return kind.benchmark() + ".properties";
  }

  private void requireSame(DataSetKind kind) throws IOException {
    String properties = directory + (directory.endsWith("/") ? "" : "/") + propertiesFile(kind);
    for (MatchResult.Metadata file :
        FileSystems.match(properties, EmptyMatchTreatment.ALLOW).metadata()) {
      Properties description = new Properties();
      try (var in = Channels.newInputStream(FileSystems.open(file.resourceId()))) {
        description.load(in);
      }
      for (Map.Entry<String, String> asked : kind.properties().entrySet()) {
        // Data says nothing of an option that was unknown when it was generated.
        String found = description.getProperty(asked.getKey(), "");
        if (!found.equals(asked.getValue())) {
          throw another(asked.getKey(), found, asked.getValue());
        }
      }
    }
  }

  private IllegalArgumentException another(String option, String found, String asked) {
    return new IllegalArgumentException(
        "--data="
            + directory
            + " holds data "
            + (found.isEmpty() ? "without " + option : "of " + option + " " + found)
            + ", but --"
            + option
            + " is "
            + (asked.isEmpty() ? "not given" : asked)
            + ". Give "
            + (found.isEmpty() ? "no --" + option : "--" + option + "=" + found)
            + ", or another directory.");
  }

  private static boolean isMissingOrEmpty(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return true;
    }
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException(
          "--data=" + directory + " is not a directory. Give a directory, existing or not.");
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      return !files.iterator().hasNext();
    }
  }

  private static Path cacheDirectory() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path base =
        cache == null || cache.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
    return base.resolve("anemone");
  }

  /**
   * Checks a scale factor.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public static void checkScale(double scale) {
    if (!(scale >= MINIMUM_SCALE && scale <= MAXIMUM_SCALE)) {
      throw new IllegalArgumentException(
          "--scale="
              + scale
              + " is out of range. Give a scale factor from "
              + MINIMUM_SCALE
              + " to 10000; scale 1 is about a gigabyte of text.");
    }
  }

  /** A scale without an exponent or a needless fraction: 1, 0.01, 100. */
  public static String plain(double scale) {
    return new BigDecimal(Double.toString(scale)).stripTrailingZeros().toPlainString();
  }
}
