// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Goes over the records of a run: key and value as bytes, in the order of the keys, compared as
 * unsigned bytes, where the run is sorted. Used by one thread.
 *
 * <p>A record is encoded as in a chunk, see {@link ChunkFormat}, and lies in one buffer. All
 * positions are absolute in {@link #buffer}, and valid until the next call of {@link #next}.
 */
public interface RunCursor extends Closeable {

  /**
   * Moves to the next record.
   *
   * @return whether there is one
   */
  boolean next() throws IOException;

  /** The first eight bytes of the key as a big-endian number, zeros where the key is shorter. */
  long keyPrefix();

  /** The buffer that the record lies in; its position and limit mean nothing. */
  ByteBuffer buffer();

  /** Where the encoded record starts: the two lengths, then key and value. */
  int recordStart();

  int keyStart();

  int keyLength();

  int valueStart();

  int valueLength();

  /** Where the encoded record ends. */
  default int recordEnd() {
    return valueStart() + valueLength();
  }

  /** Gives the cursor's memory back. */
  @Override
  void close() throws IOException;
}
