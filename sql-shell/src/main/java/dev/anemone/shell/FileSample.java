// SPDX-License-Identifier: Apache-2.0
package dev.anemone.shell;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;

/**
 * What is looked at of a file in any file system to know its columns: of text its beginning, of
 * Parquet its footer. DuckDB says what they are.
 *
 * @param columns in the order of the file, at least one
 */
record FileSample(List<Column> columns) {
  private static final int TEXT_BYTES = 1 << 20;
  private static final int PARQUET_TAIL = 8;
  private static final byte[] PARQUET_MAGIC = {'P', 'A', 'R', '1'};

  /**
   * A column.
   *
   * @param type as DuckDB names it
   */
  record Column(String name, String type) {}

  FileSample {
    columns = List.copyOf(columns);
  }

  /**
   * Looks at the first file of a location.
   *
   * @throws StatementException if there is none, or it is not what its name says
   * @throws IOException if it cannot be read
   */
  static FileSample of(String location, FileKind kind) throws IOException {
    Metadata file =
        FileSystems.match(location, EmptyMatchTreatment.ALLOW).metadata().stream()
            .filter(each -> each.sizeBytes() > 0)
            .findFirst()
            .orElseThrow(
                () ->
                    new StatementException(
                        "There is no file " + location + ", or none that has anything in it.",
                        null));
    Path sample = Files.createTempFile("anemone-sample-", ".sample");
    try {
      try (ReadableByteChannel in = FileSystems.open(file.resourceId());
          FileChannel out = FileChannel.open(sample, StandardOpenOption.WRITE)) {
        if (kind == FileKind.PARQUET) {
          copyFooter(location, in, file.sizeBytes(), out);
        } else {
          copyLines(in, out);
        }
      }
      return new FileSample(described(sample, kind));
    } catch (SQLException unreadable) {
      throw new StatementException(
          location + " cannot be read as " + kind + ": " + unreadable.getMessage(), unreadable);
    } finally {
      Files.delete(sample);
    }
  }

  /** The beginning, to the end of a line. */
  private static void copyLines(ReadableByteChannel in, FileChannel out) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(TEXT_BYTES);
    fill(in, bytes);
    int end = bytes.position();
    if (end == TEXT_BYTES) {
      while (end > 0 && bytes.get(end - 1) != '\n') {
        end--;
      }
    }
    write(out, bytes.flip().limit(end), 0);
  }

  /** The footer at its place in a file that is empty before it. */
  private static void copyFooter(
      String location, ReadableByteChannel in, long size, FileChannel out) throws IOException {
    if (!(in instanceof SeekableByteChannel file)) {
      throw new StatementException(
          location + " is in a file system that cannot be read from its end.", null);
    }
    ByteBuffer tail = ByteBuffer.allocate(PARQUET_TAIL).order(ByteOrder.LITTLE_ENDIAN);
    fill(file.position(Math.max(0, size - PARQUET_TAIL)), tail);
    long footer = PARQUET_TAIL + (tail.position() == PARQUET_TAIL ? tail.getInt(0) : 0L);
    if (footer < PARQUET_TAIL || footer > size || tail.get(PARQUET_TAIL - 1) != PARQUET_MAGIC[3]) {
      throw new StatementException(location + " is no file of Parquet: it has no footer.", null);
    }
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(footer));
    fill(file.position(size - footer), bytes);
    write(out, ByteBuffer.wrap(PARQUET_MAGIC), 0);
    write(out, bytes.flip(), size - footer);
  }

  private static void fill(ReadableByteChannel in, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining() && in.read(bytes) >= 0) {
      // Goes on until the buffer is full or the file ends.
    }
  }

  private static void write(FileChannel out, ByteBuffer bytes, long place) throws IOException {
    long at = place;
    while (bytes.hasRemaining()) {
      at += out.write(bytes, at);
    }
  }

  private static List<Column> described(Path file, FileKind kind) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (Connection engine = DriverManager.getConnection("jdbc:duckdb:");
        PreparedStatement describe =
            engine.prepareStatement("DESCRIBE SELECT * FROM " + kind.reader())) {
      describe.setString(1, file.toString());
      try (ResultSet rows = describe.executeQuery()) {
        while (rows.next()) {
          columns.add(new Column(rows.getString(1), rows.getString(2)));
        }
      }
    }
    return columns;
  }
}
