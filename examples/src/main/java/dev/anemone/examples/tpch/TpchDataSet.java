// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.files.Location;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.channels.Channels;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;

/**
 * TPC-H data in a directory on any of Beam's file systems, one or several files per table: {@code
 * .tbl} text files as {@code dbgen} writes them ({@code orders.tbl}, or {@code orders.tbl.1},
 * {@code orders.tbl.2} ..., compressed or not), or Parquet files ({@code orders.parquet}, or {@code
 * orders/*.parquet}). Immutable and thread-safe.
 */
public final class TpchDataSet {
  private static final String OPTION = "--data";

  static final String PROPERTIES_FILE = "tpch.properties";
  static final String SCALE = "scale";
  static final String SKEW = "skew";

  private final String directory;
  private final Map<TpchTable, TableFiles> tables;

  private TpchDataSet(String directory, Map<TpchTable, TableFiles> tables) {
    this.directory = directory;
    this.tables = tables;
  }

  /**
   * Opens plain TPC-H data on a local disk, and generates it first if it is not there.
   *
   * @param directory where the data is or shall be
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range, or the directory holds something
   *     else, another scale, or skewed data
   * @throws IOException if the data cannot be read or written
   */
  public static TpchDataSet open(Path directory, double scale) throws IOException {
    return open(directory, scale, TpchSkew.NONE);
  }

  /**
   * Opens a data set on a local disk, and generates it first if it is not there.
   *
   * @param directory where the data is or shall be
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range or cannot be skewed like this, or
   *     the directory holds something else, another scale, or another skew
   * @throws IOException if the data cannot be read or written
   */
  public static TpchDataSet open(Path directory, double scale, TpchSkew skew) throws IOException {
    return open(directory.toString(), scale, skew);
  }

  /**
   * Opens a data set. On the local file system it is generated first if it is not there.
   *
   * @param directory where the data is or shall be, on any file system of Beam's, which must know
   *     their options already; null for a place under the user's cache directory, one for each
   *     scale and skew
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range or cannot be skewed like this, or
   *     the directory holds something else, another scale, or another skew
   * @throws IOException if the data cannot be read or written
   */
  public static TpchDataSet open(String directory, double scale, TpchSkew skew) throws IOException {
    TpchGenerator generator = new TpchGenerator(scale, skew);
    Location location =
        new Location(
            OPTION,
            directory == null ? cacheDirectory().resolve(name(scale, skew)).toString() : directory);
    if (location.isLocal() && isMissingOrEmpty(location.path())) {
      generator.generate(location.path());
    }
    String place = location.isLocal() ? location.path().toString() : location.text();
    TpchDataSet dataSet = new TpchDataSet(place, tables(place));
    dataSet.requireSame(scale, skew);
    return dataSet;
  }

  private static Map<TpchTable, TableFiles> tables(String directory) throws IOException {
    String prefix = directory.endsWith("/") ? directory : directory + "/";
    Map<TpchTable, TableFiles> tables = new EnumMap<>(TpchTable.class);
    for (TpchTable table : TpchTable.values()) {
      TableFiles files =
          TableFiles.find(prefix, table).orElseThrow(() -> missing(directory, table));
      files.check();
      tables.put(table, files);
    }
    return tables;
  }

  private static IllegalArgumentException missing(String directory, TpchTable table) {
    String name = table.tableName();
    return new IllegalArgumentException(
        String.format(
            "--data=%1$s has no files of table %2$s: %2$s.tbl, %2$s.tbl.1 ..., %2$s.parquet or"
                + " %2$s/*.parquet. Give a directory with the files of all eight tables, or a local"
                + " one that does not exist yet, and the data is generated there.",
            directory, name));
  }

  /**
   * Checks that there can be such data.
   *
   * @throws IllegalArgumentException if the scale is out of range, or cannot be skewed like this
   */
  public static void check(double scale, TpchSkew skew) {
    TpchGenerator.checkScale(scale);
    skew.check(scale);
  }

  /** A name for a directory of such data. */
  public static String name(double scale, TpchSkew skew) {
    return "scale-" + plain(scale) + (skew.isNone() ? "" : "-" + skew.directoryName());
  }

  /** Where the files are: an absolute path, or an address on another file system of Beam's. */
  public String directory() {
    return directory;
  }

  /** The files of a table. */
  TableFiles files(TpchTable table) {
    return tables.get(table);
  }

  /** The size of a table's files in bytes. */
  public long bytes(TpchTable table) {
    return files(table).bytes();
  }

  private void requireSame(double scale, TpchSkew skew) throws IOException {
    String properties = directory + (directory.endsWith("/") ? "" : "/") + PROPERTIES_FILE;
    for (MatchResult.Metadata file :
        FileSystems.match(properties, EmptyMatchTreatment.ALLOW).metadata()) {
      Properties description = new Properties();
      try (var in = Channels.newInputStream(FileSystems.open(file.resourceId()))) {
        description.load(in);
      }
      String foundScale = description.getProperty(SCALE);
      if (foundScale != null && Double.parseDouble(foundScale) != scale) {
        throw another(SCALE, foundScale, plain(scale));
      }
      // Data that was generated before there was skew says nothing of it.
      String foundSkew = description.getProperty(SKEW, "");
      if (!foundSkew.equals(skew.toString())) {
        throw another(SKEW, foundSkew, skew.toString());
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
    return base.resolve("anemone").resolve("tpch");
  }

  /** The scale without an exponent or a needless fraction: 1, 0.01, 100. */
  static String plain(double scale) {
    return new BigDecimal(Double.toString(scale)).stripTrailingZeros().toPlainString();
  }
}
