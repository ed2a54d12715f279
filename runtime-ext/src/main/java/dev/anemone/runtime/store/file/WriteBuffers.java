// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Direct buffers in which small appends are gathered, kept for the next block. Thread-safe. */
final class WriteBuffers {

  /** Size of a buffer in bytes. */
  static final int BUFFER_BYTES = 128 << 10;

  private static final int MAX_FREE = 32;

  private final Deque<ByteBuffer> free = new ArrayDeque<>();

  /** An empty buffer. */
  synchronized ByteBuffer take() {
    ByteBuffer buffer = free.poll();
    return buffer == null ? ByteBuffer.allocateDirect(BUFFER_BYTES) : buffer.clear();
  }

  synchronized void giveBack(ByteBuffer buffer) {
    if (free.size() < MAX_FREE) {
      free.push(buffer);
    }
  }
}
