// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.spi.ValueCursor;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Byte strings in the order in which they were added, to be read any number of times, also while
 * more are added. Keeps them in memory up to a limit and the rest in a file that goes away with
 * {@link #clear}. A large value of the file is read as a stream, and never in memory as a whole.
 * Used by one thread.
 */
public final class ValueLog implements Closeable {

  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int INITIAL_BYTES = 4 * 1024;
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Longer ones are read as a stream. */
  private static final int LONGEST_READ_AT_ONCE = 1 << 20;

  /** Memory that is kept for the values that come after {@link #clear}. */
  private static final int KEPT_BYTES = 64 * 1024;

  private static final byte[] NOTHING = new byte[0];

  private final Path directory;
  private final int memoryLimit;
  private byte[] memory = NOTHING;
  private ByteBuffer lengths = ByteBuffer.wrap(memory);
  private int inMemory;
  private long count;

  private Path file;
  private FileChannel channel;
  private long flushed;
  private ByteBuffer tail;

  /**
   * An empty log.
   *
   * @param directory where the file goes, if one is needed
   * @param memoryLimitBytes bytes that may stay in memory, besides buffers of 64 KB for the file
   *     and for each cursor that reads it
   */
  public ValueLog(Path directory, long memoryLimitBytes) {
    this.directory = directory;
    this.memoryLimit = (int) Math.min(memoryLimitBytes, Integer.MAX_VALUE - 8);
  }

  /** Adds the bytes of a slice. */
  public void add(ByteSlice value) throws IOException {
    int length = value.length();
    if (channel == null && (long) inMemory + LENGTH_BYTES + length <= memoryLimit) {
      addToMemory(value, length);
    } else {
      addToFile(value, length);
    }
    count++;
  }

  private void addToMemory(ByteSlice value, int length) {
    int needed = inMemory + LENGTH_BYTES + length;
    if (needed > memory.length) {
      long doubled = Math.max(INITIAL_BYTES, 2L * memory.length);
      use(Arrays.copyOf(memory, (int) Math.max(needed, Math.min(doubled, memoryLimit))));
    }
    lengths.putInt(inMemory, length);
    System.arraycopy(value.array(), value.start(), memory, inMemory + LENGTH_BYTES, length);
    inMemory = needed;
  }

  private void use(byte[] newMemory) {
    memory = newMemory;
    lengths = ByteBuffer.wrap(newMemory);
  }

  private void addToFile(ByteSlice value, int length) throws IOException {
    if (channel == null) {
      file = Files.createTempFile(directory, "values-", ".spill");
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      tail = ByteBuffer.allocate(BUFFER_BYTES);
    }
    if (tail.remaining() < LENGTH_BYTES) {
      flush();
    }
    tail.putInt(length);
    int written = 0;
    while (written < length) {
      if (!tail.hasRemaining()) {
        flush();
      }
      int n = Math.min(tail.remaining(), length - written);
      tail.put(value.array(), value.start() + written, n);
      written += n;
    }
  }

  private void flush() throws IOException {
    tail.flip();
    while (tail.hasRemaining()) {
      flushed += channel.write(tail, flushed);
    }
    tail.clear();
  }

  /** Number of values that were added. */
  public long count() {
    return count;
  }

  /** Whether part of the values lies in a file. */
  public boolean hasSpilled() {
    return channel != null;
  }

  /**
   * A pass over all values, including those that are added before it comes to the end; must not be
   * used after {@link #clear}.
   */
  public ValueCursor cursor() {
    return new Cursor();
  }

  /** Forgets all values, and deletes the file; others may be added then. */
  void clear() throws IOException {
    if (memory.length > KEPT_BYTES) {
      use(NOTHING);
    }
    inMemory = 0;
    count = 0;
    if (channel != null) {
      FileChannel closed = channel;
      channel = null;
      tail = null;
      flushed = 0;
      closed.close();
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() throws IOException {
    use(NOTHING);
    clear();
  }

  /** Reads bytes of the file, as many as come at once and at least one, from a position. */
  private int readAt(long position, byte[] target, int offset, int count) throws IOException {
    int part = Math.min(count, BUFFER_BYTES);
    if (position < flushed) {
      int most = (int) Math.min(part, flushed - position);
      int read = channel.read(ByteBuffer.wrap(target, offset, most), position);
      if (read < 0) {
        throw new EOFException("spill file " + file + " ends before byte " + flushed);
      }
      return read;
    }
    int from = (int) (position - flushed);
    int read = Math.min(part, tail.position() - from);
    System.arraycopy(tail.array(), from, target, offset, read);
    return read;
  }

  private final class Cursor implements ValueCursor {

    private final ByteSlice value = new ByteSlice();
    private long index;
    private int memoryPosition;
    private long filePosition;
    private ByteBuffer window;
    private byte[] fromFile = NOTHING;
    private InputStream current = value;

    @Override
    public boolean next() throws IOException {
      if (index == count) {
        return false;
      }
      index++;
      if (memoryPosition < inMemory) {
        int length = lengths.getInt(memoryPosition);
        value.set(memory, memoryPosition + LENGTH_BYTES, length);
        memoryPosition += LENGTH_BYTES + length;
      } else {
        readFromFile();
      }
      return true;
    }

    private void readFromFile() throws IOException {
      if (window == null) {
        window = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
      }
      fill(LENGTH_BYTES);
      int length = window.getInt();
      if (length > LONGEST_READ_AT_ONCE) {
        long start = filePosition - window.remaining();
        current = new BufferedInputStream(new ValueInFile(start, length), BUFFER_BYTES);
        filePosition = start + length;
        window.limit(0);
        return;
      }
      current = value;
      if (length > fromFile.length) {
        fromFile = new byte[Math.max(length, 2 * fromFile.length)];
      }
      int read = 0;
      while (read < length) {
        fill(1);
        int n = Math.min(window.remaining(), length - read);
        window.get(fromFile, read, n);
        read += n;
      }
      value.set(fromFile, 0, length);
    }

    /** Sees to it that the window holds at least {@code needed} bytes. */
    private void fill(int needed) throws IOException {
      while (window.remaining() < needed) {
        window.compact();
        if (filePosition < flushed) {
          int n = channel.read(window, filePosition);
          if (n < 0) {
            throw new EOFException("spill file " + file + " ends before byte " + flushed);
          }
          filePosition += n;
        } else {
          int from = (int) (filePosition - flushed);
          int n = Math.min(tail.position() - from, window.remaining());
          window.put(tail.array(), from, n);
          filePosition += n;
        }
        window.flip();
      }
    }

    @Override
    public InputStream value() {
      return current;
    }
  }

  /** A value that is read where it lies. */
  private final class ValueInFile extends InputStream {

    private long position;
    private final long end;

    ValueInFile(long start, int length) {
      position = start;
      end = start + length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      if (position == end) {
        return -1;
      }
      int read = readAt(position, target, offset, (int) Math.min(count, end - position));
      position += read;
      return read;
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, end - position);
    }
  }
}
