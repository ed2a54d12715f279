// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.handler;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Direct buffers for what is read from connections: those of closed ones serve new ones, since
 * memory beside the heap comes back only when the collector finds it. Thread-safe.
 */
final class ReadBuffers {

  private static final int BYTES = 128 << 10;

  private final Deque<ByteBuffer> free = new ArrayDeque<>();

  /** A buffer of 128 KB with anything in it, until it is given back. */
  synchronized ByteBuffer take() {
    ByteBuffer buffer = free.poll();
    return buffer == null ? ByteBuffer.allocateDirect(BYTES) : buffer;
  }

  /** Takes a buffer back that nobody reads any more. */
  synchronized void give(ByteBuffer buffer) {
    free.push(buffer);
  }
}
