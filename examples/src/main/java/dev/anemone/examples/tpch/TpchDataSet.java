package dev.anemone.examples.tpch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * TPC-H data on disk: {@code .tbl} text files as {@code dbgen} writes them, one or several per
 * table ({@code orders.tbl}, or {@code orders.tbl.1}, {@code orders.tbl.2} ...). Files made by
 * {@code dbgen} itself are read as well.
 *
 * @param directory where the files are
 */
public record TpchDataSet(Path directory) {
  static final String PROPERTIES_FILE = "tpch.properties";
  static final String SCALE = "scale";
  static final String SKEW = "skew";

  /**
   * Opens plain TPC-H data, and generates it first if it is not there.
   *
   * @param directory where the data is or shall be; null for a place under the user's cache
   *     directory
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range, or the directory holds something
   *     else, another scale, or skewed data
   * @throws IOException if the data cannot be read or written
   */
  public static TpchDataSet open(Path directory, double scale) throws IOException {
    return open(directory, scale, TpchSkew.NONE);
  }

  /**
   * Opens a data set, and generates it first if it is not there.
   *
   * @param directory where the data is or shall be; null for a place under the user's cache
   *     directory, one for each scale and skew
   * @param scale the scale factor; 1 is about a gigabyte
   * @throws IllegalArgumentException if the scale is out of range or cannot be skewed like this, or
   *     the directory holds something else, another scale, or another skew
   * @throws IOException if the data cannot be read or written
   */
  public static TpchDataSet open(Path directory, double scale, TpchSkew skew) throws IOException {
    TpchGenerator generator = new TpchGenerator(scale, skew);
    Path place = directory == null ? cacheDirectory().resolve(name(scale, skew)) : directory;
    if (isMissingOrEmpty(place)) {
      generator.generate(place);
    }
    TpchDataSet dataSet = new TpchDataSet(place);
    dataSet.requireTables();
    dataSet.requireSame(scale, skew);
    return dataSet;
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

  /** A pattern that matches the files of a table. */
  public String pattern(TpchTable table) {
    return directory.resolve(table.tableName() + ".tbl*").toString();
  }

  /**
   * The size of a table in bytes of text.
   *
   * @throws UncheckedIOException if the directory cannot be read
   */
  public long bytes(TpchTable table) {
    long bytes = 0;
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(directory, table.tableName() + ".tbl*")) {
      for (Path file : files) {
        bytes += Files.size(file);
      }
    } catch (IOException notReadable) {
      throw new UncheckedIOException(notReadable);
    }
    return bytes;
  }

  private void requireTables() {
    for (TpchTable table : TpchTable.values()) {
      if (bytes(table) == 0) {
        throw new IllegalArgumentException(
            "--data="
                + directory
                + " has no file "
                + table.tableName()
                + ".tbl. Give a directory with the files of all eight tables, or one that does not"
                + " exist yet, and the data is generated there.");
      }
    }
  }

  private void requireSame(double scale, TpchSkew skew) throws IOException {
    Path properties = directory.resolve(PROPERTIES_FILE);
    if (Files.exists(properties)) {
      Properties description = new Properties();
      try (var reader = Files.newBufferedReader(properties)) {
        description.load(reader);
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
