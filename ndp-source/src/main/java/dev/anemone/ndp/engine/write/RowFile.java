// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.write;

import dev.anemone.ndp.engine.database.NdpEngineLimits;
import dev.anemone.ndp.format.FileFormat;
import dev.anemone.ndp.format.ParquetFormat;
import dev.anemone.ndp.format.TextFormat;
import dev.anemone.ndp.text.TextDialect;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.arrow.vector.VectorSchemaRoot;

/** A file that is written batch by batch. Not thread-safe. */
public interface RowFile extends AutoCloseable {

  /**
   * A new file.
   *
   * @param format Parquet, or lines of text
   * @param target gets the bytes of the file, the last of them when it is finished; left open
   * @param limits of the engine that makes Parquet
   * @throws IllegalArgumentException when files of this format are not written
   */
  static RowFile create(
      FileFormat format, WrittenRows rows, OutputStream target, NdpEngineLimits limits)
      throws IOException {
    if (format instanceof ParquetFormat) {
      return ParquetRows.open(rows, target, limits);
    } else if (format instanceof TextFormat text) {
      return new TextRows(TextDialect.of(text.dialect()), rows, target);
    }
    throw new IllegalArgumentException("files of the format " + format + " are not written");
  }

  /**
   * Adds the rows of a batch, which may be reused afterwards.
   *
   * @throws dev.anemone.ndp.engine.NdpEngineException when a value is none of its column; says
   *     which
   */
  void write(VectorSchemaRoot batch) throws IOException;

  /**
   * Writes what is left; nothing can be added any more.
   *
   * @throws dev.anemone.ndp.engine.NdpEngineException as {@link #write}
   */
  void finish() throws IOException;

  /** Gives back what it has, finished or not. */
  @Override
  void close() throws IOException;
}
