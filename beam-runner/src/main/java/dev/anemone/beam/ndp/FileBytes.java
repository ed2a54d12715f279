// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.ndp;

import dev.anemone.beam.hdfs.HdfsRanges;
import dev.anemone.beam.hdfs.ReadWatch;
import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.util.Optional;
import org.apache.beam.sdk.io.FileSystems;

/**
 * A file of any of Beam's file systems that can be read from a position. Of HDFS no more comes over
 * the network than the ranges that are opened. Counts what is read.
 */
public final class FileBytes implements SplitBytes {

  private final String file;
  private final long size;
  private final ReadWatch watch;
  private Optional<HdfsRanges> ranges = Optional.empty();
  private boolean isOpen;
  private long bytesRead;

  /**
   * A file.
   *
   * @param size in bytes
   */
  public FileBytes(String file, long size) {
    this(file, size, ReadWatch.NONE);
  }

  /**
   * The same.
   *
   * @param watch is told when bytes are waited for
   */
  public FileBytes(String file, long size, ReadWatch watch) {
    this.file = file;
    this.size = size;
    this.watch = watch;
  }

  /** Bytes that were read so far. */
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public String name() {
    return file;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public InputStream open(long position, long length) throws IOException {
    if (!isOpen) {
      ranges = HdfsRanges.open(file);
      isOpen = true;
    }
    return ranges.isPresent()
        ? new Range(ranges.get().range(position, length, watch), length, ReadWatch.NONE)
        : new Range(channel(position), length, watch);
  }

  private InputStream channel(long position) throws IOException {
    ReadableByteChannel channel = FileSystems.open(FileSystems.matchNewResource(file, false));
    if (!(channel instanceof SeekableByteChannel seekable)) {
      channel.close();
      throw new IOException(
          file + " can only be read from its beginning; put it on a file system that can seek");
    }
    try {
      seekable.position(position);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return Channels.newInputStream(channel);
  }

  @Override
  public void close() throws IOException {
    if (ranges.isPresent()) {
      ranges.get().close();
    }
  }

  /** The bytes up to the end of a range. */
  private final class Range extends FilterInputStream {

    private final ReadWatch watch;
    private long left;

    Range(InputStream in, long length, ReadWatch watch) {
      super(in);
      this.left = length;
      this.watch = watch;
    }

    @Override
    public int read() throws IOException {
      if (left <= 0) {
        return -1;
      }
      int value = -1;
      watch.waits();
      try {
        value = super.read();
      } finally {
        count(value < 0 ? 0 : 1);
      }
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left <= 0 && length > 0) {
        return -1;
      }
      int count = 0;
      watch.waits();
      try {
        count = super.read(bytes, offset, (int) Math.min(length, left));
      } finally {
        count(Math.max(0, count));
      }
      return count;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = super.skip(Math.min(count, left));
      left -= skipped;
      return skipped;
    }

    private void count(int count) {
      left -= count;
      bytesRead += count;
      watch.arrived(count);
    }
  }
}
