// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Parts of registered memory for one peer each, of {@link PullProtocol#CONNECTION_BYTES}. There are
 * as many as threads that use them, so that nobody waits for one. Thread-safe.
 */
final class Lanes {

  private final Queue<Integer> free = new ConcurrentLinkedQueue<>();

  Lanes(int count) {
    IntStream.range(0, count).forEach(free::add);
  }

  /** Takes a part; returns where it begins, bytes. */
  int take() {
    return free.remove() * PullProtocol.CONNECTION_BYTES;
  }

  /** Gives a part back. */
  void give(int offset) {
    free.add(offset / PullProtocol.CONNECTION_BYTES);
  }
}
