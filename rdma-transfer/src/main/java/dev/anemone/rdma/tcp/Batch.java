// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Frames that one system call sends, straight from registered memory. Used by the writer alone. */
final class Batch {

  private static final int MOST_FRAMES = 32;

  private final Frame[] frames = new Frame[MOST_FRAMES];
  private final ByteBuffer[] buffers = new ByteBuffer[2 * MOST_FRAMES];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  boolean isFull() {
    return size == MOST_FRAMES;
  }

  void add(Frame frame) {
    frames[size++] = frame;
  }

  Frame get(int index) {
    return frames[index];
  }

  /**
   * Sends what the socket takes.
   *
   * @return how many frames, from the first, are sent whole
   * @throws IOException when the socket fails, or a region is no longer registered
   */
  int send(SocketChannel channel) throws IOException {
    int count = 0;
    for (int i = 0; i < size; i++) {
      Frame frame = frames[i];
      buffers[count++] = frame.header();
      if (frame.sendsPayload()) {
        buffers[count++] = frame.payload();
      }
    }
    write(channel, count);
    int done = 0;
    while (done < size && frames[done].isSent()) {
      done++;
    }
    return done;
  }

  private void write(SocketChannel channel, int count) throws IOException {
    int pinned = 0;
    try {
      while (pinned < size) {
        frames[pinned].pin();
        pinned++;
      }
      channel.write(buffers, 0, count);
    } finally {
      for (int i = 0; i < pinned; i++) {
        frames[i].unpin();
      }
    }
  }

  /** Drops the first frames. */
  void drop(int count) {
    size -= count;
    System.arraycopy(frames, count, frames, 0, size);
  }
}
