// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.FileBasedSource;
import org.apache.beam.sdk.io.fs.MatchResult.Metadata;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.ValueProvider.StaticValueProvider;

/**
 * Reads files of records on any of Beam's file systems. A file can be split at any byte: a record
 * belongs to the part in which its first byte lies.
 */
final class RecordSource extends FileBasedSource<byte[]> {
  private static final long serialVersionUID = 1;

  /** The smallest part that is worth a task of its own, in bytes. */
  private static final long MINIMUM_PART_BYTES = 1_000L * TeraRecord.BYTES;

  /** All records of the files that a pattern matches. */
  RecordSource(String pattern) {
    super(StaticValueProvider.of(pattern), MINIMUM_PART_BYTES);
  }

  private RecordSource(Metadata file, long start, long end) {
    super(file, MINIMUM_PART_BYTES, start, end);
  }

  @Override
  protected RecordSource createForSubrangeOfFile(Metadata file, long start, long end) {
    return new RecordSource(file, start, end);
  }

  @Override
  protected FileBasedReader<byte[]> createSingleFileReader(PipelineOptions options) {
    return new Reader(this);
  }

  @Override
  public Coder<byte[]> getOutputCoder() {
    return RecordCoder.of();
  }

  /** Reads ahead into a buffer of its own; a record costs its array and nothing else. */
  private static final class Reader extends FileBasedReader<byte[]> {
    private static final int BUFFER_BYTES = 1_000 * TeraRecord.BYTES;

    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).flip();
    private ReadableByteChannel channel;
    private byte[] current;
    private long currentOffset;
    private long nextOffset;

    Reader(RecordSource source) {
      super(source);
    }

    @Override
    protected void startReading(ReadableByteChannel opened) throws IOException {
      channel = opened;
      // The channel stands at the start of the part, which may lie within a record.
      long start = getCurrentSource().getStartOffset();
      int ofTheRecordBefore = Math.floorMod(-start, TeraRecord.BYTES);
      nextOffset = start + ofTheRecordBefore;
      if (fill(ofTheRecordBefore)) {
        buffer.position(ofTheRecordBefore);
      }
    }

    @Override
    protected boolean readNextRecord() throws IOException {
      if (!fill(TeraRecord.BYTES)) {
        return false;
      }
      byte[] record = new byte[TeraRecord.BYTES];
      buffer.get(record);
      current = record;
      currentOffset = nextOffset;
      nextOffset += TeraRecord.BYTES;
      return true;
    }

    /**
     * Reads until the buffer holds as many bytes as are wanted.
     *
     * @return false if the file ends here
     * @throws IOException if the file ends within the bytes that are wanted
     */
    private boolean fill(int wanted) throws IOException {
      if (buffer.remaining() >= wanted) {
        return true;
      }
      buffer.compact();
      int read = 0;
      while (read >= 0 && buffer.position() < wanted) {
        read = channel.read(buffer);
      }
      buffer.flip();
      if (buffer.remaining() >= wanted) {
        return true;
      }
      if (buffer.hasRemaining()) {
        throw new IOException(
            getCurrentSource()
                + " ends within a record: the length of the file is not a multiple of "
                + TeraRecord.BYTES
                + " bytes.");
      }
      return false;
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
    public byte[] getCurrent() {
      return current;
    }
  }
}
