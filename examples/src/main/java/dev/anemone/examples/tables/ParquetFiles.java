// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.schemas.Schema.Field;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** Parquet files on Beam's file systems. */
final class ParquetFiles {
  private ParquetFiles() {}

  /** How many rows a file has, by its footer. */
  static double rows(Metadata file) throws IOException {
    try (ParquetFileReader reader = open(file)) {
      return reader.getFooter().getBlocks().stream().mapToLong(BlockMetaData::getRowCount).sum();
    }
  }

  /**
   * Checks that a file has all columns of a table, in any order and among others.
   *
   * @throws IllegalArgumentException if it lacks one, or one has a type that cannot be read as the
   *     table's; the message says which
   */
  static void check(Metadata file, DataTable table) throws IOException {
    MessageType found;
    try (ParquetFileReader reader = open(file)) {
      found = reader.getFooter().getFileMetaData().getSchema();
    } catch (RuntimeException notParquet) {
      throw new IllegalArgumentException(
          "The file " + file.resourceId() + " is no Parquet file: " + notParquet.getMessage(),
          notParquet);
    }
    for (Field field : table.schema().getFields()) {
      try {
        ParquetColumn.of(column(found, field.getName()), field);
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            "The file "
                + file.resourceId()
                + " of table "
                + table.tableName()
                + " cannot be read: "
                + wrong.getMessage(),
            wrong);
      }
    }
  }

  /**
   * The column of a name, in upper or lower case.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Type column(MessageType file, String name) {
    return file.getFields().stream()
        .filter(type -> type.getName().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "it has no column "
                        + name
                        + ", but "
                        + file.getFields().stream().map(Type::getName).toList()
                        + "."));
  }

  private static ParquetFileReader open(Metadata file) throws IOException {
    return open(FileSystems.open(file.resourceId()), file);
  }

  /**
   * Opens a file that is open already. Closing the reader closes the channel.
   *
   * @throws IOException if the channel cannot jump to the footer, or the file cannot be read
   */
  static ParquetFileReader open(ReadableByteChannel channel, Metadata file) throws IOException {
    if (!(channel instanceof SeekableByteChannel seekable)) {
      channel.close();
      throw new IOException(
          file.resourceId()
              + " lies on a file system that reads files from front to back only, but the footer"
              + " of a Parquet file is read first. Copy the data to another one.");
    }
    return ParquetFileReader.open(new ChannelFile(seekable, file.sizeBytes()));
  }

  /** A file as Parquet reads it. It can be opened once. */
  private record ChannelFile(SeekableByteChannel channel, long bytes) implements InputFile {
    @Override
    public long getLength() {
      return bytes;
    }

    @Override
    public SeekableInputStream newStream() {
      return new ChannelStream(channel);
    }
  }

  /**
   * Reads from a position, without a buffer: Parquet reads a row group's columns in large parts.
   */
  private static final class ChannelStream extends DelegatingSeekableInputStream {
    private final SeekableByteChannel channel;

    ChannelStream(SeekableByteChannel channel) {
      super(java.nio.channels.Channels.newInputStream(channel));
      this.channel = channel;
    }

    @Override
    public long getPos() throws IOException {
      return channel.position();
    }

    @Override
    public void seek(long position) throws IOException {
      channel.position(position);
    }

    @Override
    public void readFully(ByteBuffer buffer) throws IOException {
      while (buffer.hasRemaining()) {
        if (channel.read(buffer) < 0) {
          throw new EOFException("The file ends within the bytes that its footer tells of.");
        }
      }
    }
  }
}
