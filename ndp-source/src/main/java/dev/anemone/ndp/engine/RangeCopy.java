// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.LongConsumer;

/** Copies ranges of bytes that lie elsewhere into a file here, which may have holes. */
final class RangeCopy implements Closeable {

  private static final int BUFFER_BYTES = 1 << 18;

  private final SplitBytes source;
  private final FileChannel target;
  private final LongConsumer watch;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

  /**
   * @param target the file, which is made when it is not there
   * @param watch told between reads how much is about to be written; what it throws ends the copy
   */
  RangeCopy(SplitBytes source, Path target, LongConsumer watch) throws IOException {
    this.source = source;
    this.watch = watch;
    this.target = FileChannel.open(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /**
   * Copies a range.
   *
   * @param length up to {@link SplitBytes#UNKNOWN_SIZE} for all that is there
   * @param from its place in the source
   * @param at its place in the target
   */
  void range(long from, long length, long at) throws IOException {
    if (length == 0) {
      return;
    }
    try (InputStream range = source.open(from, length)) {
      long done = 0;
      while (done < length) {
        int wanted = (int) Math.min(BUFFER_BYTES, length - done);
        // Fills the buffer: what comes over the network comes in small pieces.
        int read = range.readNBytes(buffer.array(), 0, wanted);
        if (read == 0 && SplitBytes.isToUnknownEnd(from, length)) {
          return;
        }
        if (read == 0) {
          throw shorter(from + length);
        }
        watch.accept(read);
        write(buffer.position(0).limit(read), at + done);
        done += read;
      }
    }
  }

  static NdpEngineException shorter(long size) {
    return new NdpEngineException(
        "the file became shorter than " + size + " bytes while it was read");
  }

  /** Puts bytes into the target. */
  void write(ByteBuffer bytes, long at) throws IOException {
    long position = at;
    while (bytes.hasRemaining()) {
      position += target.write(bytes, position);
    }
  }

  /** Leaves out what the target has behind a place. */
  void endAt(long size) throws IOException {
    target.truncate(size);
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
