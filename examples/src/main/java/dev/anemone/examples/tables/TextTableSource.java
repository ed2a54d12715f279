// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.tables;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.CompressedSource;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;
import org.apache.beam.sdk.schemas.Schema;
import org.apache.beam.sdk.schemas.SchemaCoder;
import org.apache.beam.sdk.values.Row;

/**
 * Reads some columns of the {@code .tbl} files of a table, on any of Beam's file systems. A file
 * can be split at any byte: a line belongs to the part in which its first byte lies.
 *
 * <p>Lines are parsed where they lie in the reader's buffer: a line costs its row and the values of
 * the columns that are asked for, and nothing else.
 */
final class TextTableSource extends FileBasedSource<Row> {
  private static final long serialVersionUID = 1;

  /** The smallest part that is worth a task of its own. */
  private static final long MINIMUM_PART_BYTES = 1 << 16;

  private final DataTable table;
  private final Schema schema;

  private TextTableSource(String pattern, DataTable table, Schema schema) {
    super(StaticValueProvider.of(pattern), MINIMUM_PART_BYTES);
    this.table = table;
    this.schema = schema;
  }

  private TextTableSource(Metadata file, long start, long end, DataTable table, Schema schema) {
    super(file, MINIMUM_PART_BYTES, start, end);
    this.table = table;
    this.schema = schema;
  }

  /**
   * A source of all files that a pattern matches. Files whose names say that they are compressed
   * are decompressed, and read as a whole.
   *
   * @param schema the wanted columns of the table, in any order
   */
  static CompressedSource<Row> of(String pattern, DataTable table, Schema schema) {
    return CompressedSource.from(new TextTableSource(pattern, table, schema));
  }

  @Override
  protected TextTableSource createForSubrangeOfFile(Metadata file, long start, long end) {
    return new TextTableSource(file, start, end, table, schema);
  }

  @Override
  protected FileBasedReader<Row> createSingleFileReader(PipelineOptions options) {
    return new Reader(this);
  }

  @Override
  public Coder<Row> getOutputCoder() {
    return SchemaCoder.of(schema);
  }

  /** Reads ahead into a buffer of its own, which grows where a line needs it. */
  private static final class Reader extends FileBasedReader<Row> {
    private static final int BUFFER_BYTES = 1 << 18;
    private static final int NONE = -1;
    private static final byte LINE_FEED = '\n';

    private final LineParser parser;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;

    /** Where the first byte of the buffer lies in the file. */
    private long bufferOffset;

    private ReadableByteChannel channel;
    private Row current;
    private long currentOffset;

    Reader(TextTableSource source) {
      super(source);
      parser = new LineParser(source.table, source.schema);
    }

    @Override
    protected void startReading(ReadableByteChannel opened) throws IOException {
      channel = opened;
      long start = getCurrentSource().getStartOffset();
      if (start > 0) {
        // The byte before tells whether a line begins here, or its rest belongs to another part.
        bufferOffset = start - 1;
        ((SeekableByteChannel) opened).position(bufferOffset);
        int end = endOfLine();
        position = end == NONE ? limit : end + 1;
      }
    }

    @Override
    protected boolean readNextRecord() throws IOException {
      int end = endOfLine();
      if (end == NONE) {
        if (position == limit) {
          return false;
        }
        end = limit;
      }
      currentOffset = bufferOffset + position;
      try {
        current = parser.parse(buffer, position, end);
      } catch (IllegalArgumentException malformed) {
        throw new IOException(
            getCurrentSource() + ", at byte " + currentOffset + ": " + malformed.getMessage(),
            malformed);
      }
      position = Math.min(end + 1, limit);
      return true;
    }

    /** Index of the next line feed in the buffer, or {@link #NONE} if the file ends before one. */
    private int endOfLine() throws IOException {
      int searched = position;
      while (true) {
        int end = ByteSearch.indexOf(LINE_FEED, buffer, searched, limit);
        if (end < limit) {
          return end;
        }
        int unread = limit - position;
        if (!fill()) {
          return NONE;
        }
        searched = position + unread;
      }
    }

    /** Reads more behind what has not been parsed yet; false if there is no more. */
    private boolean fill() throws IOException {
      if (position > 0) {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        bufferOffset += position;
        limit -= position;
        position = 0;
      }
      if (limit == buffer.length) {
        buffer = Arrays.copyOf(buffer, buffer.length * 2);
      }
      int read;
      do {
        read = channel.read(ByteBuffer.wrap(buffer, limit, buffer.length - limit));
      } while (read == 0);
      limit += Math.max(read, 0);
      return read > 0;
    }

    @Override
    protected boolean isAtSplitPoint() {
      return true;
    }

    @Override
    protected long getCurrentOffset() {
      return currentOffset;
    }

    @Override
    public Row getCurrent() {
      return current;
    }
  }
}
