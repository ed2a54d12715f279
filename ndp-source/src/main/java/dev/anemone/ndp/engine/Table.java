// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ir.relational.RowType;
import dev.anemone.ndp.format.FileFormat;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A file with rows.
 *
 * @param file on a local disk
 * @param format how the rows lie in it
 * @param columns all columns, in the order of the file for CSV; by name for Parquet
 */
public record Table(Path file, FileFormat format, RowType columns) {

  public Table {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(columns, "columns");
  }
}
