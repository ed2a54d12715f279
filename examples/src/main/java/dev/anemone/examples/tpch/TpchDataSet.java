// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tpch;

import dev.anemone.examples.tables.DataSet;
import dev.anemone.examples.tables.TableFiles;
import java.io.IOException;
import java.nio.file.Path;

/**
 * TPC-H data in a directory on any of Beam's file systems, one or several files per table: {@code
 * .tbl} text files as {@code dbgen} writes them, or Parquet files. Immutable and thread-safe.
 */
public final class TpchDataSet {
  private final DataSet files;

  private TpchDataSet(DataSet files) {
    this.files = files;
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
    return new TpchDataSet(DataSet.open(directory, new TpchGenerator(scale, skew)));
  }

  /**
   * Checks that there can be such data.
   *
   * @throws IllegalArgumentException if the scale is out of range, or cannot be skewed like this
   */
  public static void check(double scale, TpchSkew skew) {
    DataSet.checkScale(scale);
    skew.check(scale);
  }

  /** A name for a directory of such data. */
  public static String name(double scale, TpchSkew skew) {
    return "scale-" + DataSet.plain(scale) + (skew.isNone() ? "" : "-" + skew.directoryName());
  }

  /** Where the files are: an absolute path, or an address on another file system of Beam's. */
  public String directory() {
    return files.directory();
  }

  /** The tables. */
  public DataSet files() {
    return files;
  }

  /** The files of a table. */
  TableFiles files(TpchTable table) {
    return files.files(table);
  }

  /** The size of a table's files in bytes. */
  public long bytes(TpchTable table) {
    return files(table).bytes();
  }
}
