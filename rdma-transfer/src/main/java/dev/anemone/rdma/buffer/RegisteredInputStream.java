// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;

/** Reads a chain. Used by one thread. */
final class RegisteredInputStream extends InputStream {

  private final List<RegisteredChain.Segment> segments;
  private int next;
  private ByteBuffer current = ByteBuffer.allocate(0);

  RegisteredInputStream(List<RegisteredChain.Segment> segments) {
    this.segments = segments;
  }

  /** Goes to the next byte, over empty segments; false at the end. */
  private boolean hasMore() {
    while (!current.hasRemaining() && next < segments.size()) {
      RegisteredChain.Segment segment = segments.get(next);
      current = segment.buffer().memory().limit(segment.length());
      next++;
    }
    return current.hasRemaining();
  }

  @Override
  public int read() {
    return hasMore() ? current.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int done = 0;
    while (done < length && hasMore()) {
      int count = Math.min(length - done, current.remaining());
      current.get(bytes, offset + done, count);
      done += count;
    }
    return done == 0 && length > 0 ? -1 : done;
  }

  @Override
  public long skip(long bytes) {
    long done = 0;
    while (done < bytes && hasMore()) {
      int count = (int) Math.min(bytes - done, current.remaining());
      current.position(current.position() + count);
      done += count;
    }
    return done;
  }

  /** What is left, since none of it has to be waited for. */
  @Override
  public int available() {
    long left = current.remaining();
    for (RegisteredChain.Segment segment : segments.subList(next, segments.size())) {
      left += segment.length();
    }
    return (int) Math.min(left, Integer.MAX_VALUE);
  }
}
