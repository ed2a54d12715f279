// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.task;

import dev.anemone.runtime.spi.SpillFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A spill file in a directory. */
public final class LocalSpillFile implements SpillFile {

  private final Path directory;
  private Path file;
  private FileChannel channel;
  private long length;

  /** An empty one, that is not on disk yet. */
  public LocalSpillFile(Path directory) {
    this.directory = directory;
  }

  @Override
  public synchronized long append(ByteBuffer bytes) throws IOException {
    if (channel == null) {
      file = Files.createTempFile(directory, "operator-", ".spill");
      channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
    long start = length;
    try {
      while (bytes.hasRemaining()) {
        length += channel.write(bytes, length);
      }
    } catch (IOException e) {
      throw new IOException("cannot write to the spill file " + file + ": " + e.getMessage(), e);
    }
    return start;
  }

  @Override
  public synchronized void read(long position, ByteBuffer target) throws IOException {
    if (position + target.remaining() > length) {
      throw new EOFException("spill file " + file + " ends at byte " + length);
    }
    long next = position;
    while (target.hasRemaining()) {
      int read = channel.read(target, next);
      if (read < 0) {
        throw new EOFException("spill file " + file + " is shorter than what was written");
      }
      next += read;
    }
  }

  @Override
  public synchronized void clear() throws IOException {
    if (length > 0) {
      channel.truncate(0);
      length = 0;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    length = 0;
    if (channel != null) {
      try (FileChannel closed = channel) {
        channel = null;
      } finally {
        Files.deleteIfExists(file);
      }
    }
  }
}
