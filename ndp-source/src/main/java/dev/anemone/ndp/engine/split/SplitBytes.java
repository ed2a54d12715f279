// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.split;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The bytes of a file that may lie anywhere. For one thread at a time, and for one stream at a
 * time; whoever makes it closes it. No read may wait without a deadline of its own: the engine
 * looks at a plan's deadline between reads.
 */
public interface SplitBytes extends Closeable {

  /** The size of a file of which only a read to its end tells it. */
  long UNKNOWN_SIZE = Long.MAX_VALUE;

  /** The bytes of a local file. */
  static SplitBytes of(Path file) throws IOException {
    return new LocalBytes(file);
  }

  /** What people know the file by. */
  default String name() {
    return "the file";
  }

  /** Whether a range ends where a file of unknown size does. */
  static boolean isToUnknownEnd(long position, long length) {
    return position + length == UNKNOWN_SIZE;
  }

  /** Bytes of the whole file, or {@link #UNKNOWN_SIZE}; the same at each call. */
  long size() throws IOException;

  /**
   * A stream of a range, which the caller closes.
   *
   * @param position of its first byte
   * @param length of the range; the stream has fewer bytes only where the file ends
   */
  InputStream open(long position, long length) throws IOException;
}
