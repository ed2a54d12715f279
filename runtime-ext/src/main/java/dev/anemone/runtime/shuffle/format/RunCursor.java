// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Goes over the records of a run: key and value as bytes, in the order of the keys, compared as
 * unsigned bytes, where the run is sorted. Used by one thread.
 *
 * <p>A record is encoded as in a chunk, see {@link ChunkFormat}, and lies in one buffer; of one
 * that is divided, the buffer has the first part, with the key, see {@link #nextPart}. All
 * positions are absolute in {@link #buffer}, and valid until the next call of {@link #next} or
 * {@link #nextPart}.
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

  /** Where the encoded record ends, or its part that the buffer has. */
  default int recordEnd() {
    return valueStart() + valueLength();
  }

  /**
   * Moves to the next part of a divided record: the buffer has more of the value, from {@link
   * #recordStart} to {@link #recordEnd}, and nothing else. Parts that were not read are passed over
   * by {@link #next}.
   *
   * @return whether there is one
   */
  default boolean nextPart() throws IOException {
    return false;
  }

  /** Gives the cursor's memory back. */
  @Override
  void close() throws IOException;
}
