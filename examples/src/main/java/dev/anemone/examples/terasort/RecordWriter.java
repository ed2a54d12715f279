// SPDX-License-Identifier: Apache-2.0
package dev.anemone.examples.terasort;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.ResourceId;
import org.apache.beam.sdk.util.MimeTypes;

/** Writes records to a file, through a buffer. Not thread-safe. */
final class RecordWriter implements Closeable {
  private static final int BUFFER_BYTES = 5_000 * TeraRecord.BYTES;

  private final WritableByteChannel channel;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int used;

  /**
   * Creates the file, and the directories above it.
   *
   * @throws IOException if it cannot be created
   */
  RecordWriter(ResourceId file) throws IOException {
    channel = FileSystems.create(file, MimeTypes.BINARY);
  }

  /** Appends the record that begins at an offset of an array. */
  void write(byte[] bytes, int offset) throws IOException {
    System.arraycopy(bytes, offset, buffer, reserve(), TeraRecord.BYTES);
  }

  /**
   * Makes room for a record and counts it as written; the caller puts it into {@link #buffer()},
   * from the offset that is returned, before he calls anything else.
   */
  int reserve() throws IOException {
    if (used == BUFFER_BYTES) {
      flush();
    }
    int offset = used;
    used += TeraRecord.BYTES;
    return offset;
  }

  /** The array for {@link #reserve()}; it stays the same. */
  byte[] buffer() {
    return buffer;
  }

  private void flush() throws IOException {
    ByteBuffer full = ByteBuffer.wrap(buffer, 0, used);
    while (full.hasRemaining()) {
      channel.write(full);
    }
    used = 0;
  }

  /**
   * Writes what is left and closes the file. Whoever gives up halfway closes too, and then deletes
   * the file.
   */
  @Override
  public void close() throws IOException {
    try (channel) {
      flush();
    }
  }
}
