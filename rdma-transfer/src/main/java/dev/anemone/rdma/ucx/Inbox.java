// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * Brings the frames of a connection into the order of sending, which UCX does not promise: those
 * that overtake others are copied and wait. On the loop's thread only.
 */
final class Inbox {

  /** Frames that wait for those before them; a peer has fewer under way. */
  private static final int MOST_EARLY = 1_024;

  /** Gets frames in order. */
  @FunctionalInterface
  interface Receiver {
    void receive(Frame.Type type, ByteBuffer body);
  }

  private record Early(Frame.Type type, ByteBuffer body) {}

  private final Receiver receiver;
  private final Map<Long, Early> early = new HashMap<>();
  private long next;

  Inbox(Receiver receiver) {
    this.receiver = receiver;
  }

  /** The first frame was taken otherwise. */
  void skipFirst() {
    next = 1;
  }

  /**
   * Takes a frame.
   *
   * @throws IllegalArgumentException when the peer has sent a frame of that place before, or too
   *     many that others must come before
   */
  void add(long order, Frame.Type type, ByteBuffer body) {
    if (order != next) {
      if (order < next || early.containsKey(order) || early.size() == MOST_EARLY) {
        throw new IllegalArgumentException(
            "frame " + order + ", but " + next + " is awaited, and " + early.size() + " wait");
      }
      ByteBuffer copy = ByteBuffer.allocateDirect(body.remaining()).put(body).flip();
      early.put(order, new Early(type, copy));
      return;
    }
    next++;
    receiver.receive(type, body);
    for (Early frame = early.remove(next); frame != null; frame = early.remove(next)) {
      next++;
      receiver.receive(frame.type, frame.body);
    }
  }
}
