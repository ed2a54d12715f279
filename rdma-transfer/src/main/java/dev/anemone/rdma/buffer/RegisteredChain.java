// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.InputStream;
import java.util.List;

/**
 * Bytes that lie in several registered buffers, one after the other. It holds a reference to each,
 * which it releases when it is closed. Immutable but for that.
 */
public final class RegisteredChain implements AutoCloseable {

  /**
   * The bytes of one buffer.
   *
   * @param length bytes, from the buffer's first
   */
  public record Segment(RegisteredBuffer buffer, int length) {

    public Segment {
      if (length < 0 || length > buffer.capacity()) {
        throw new IllegalArgumentException(
            length + " bytes of a buffer of " + buffer.capacity() + " bytes");
      }
    }
  }

  private final List<Segment> segments;
  private final long length;
  private boolean closed;

  /** A chain; the references to the buffers are its own from now on. */
  public RegisteredChain(List<Segment> segments) {
    this.segments = List.copyOf(segments);
    this.length = segments.stream().mapToLong(Segment::length).sum();
  }

  /** The buffers, in order: for operations on a connection. */
  public List<Segment> segments() {
    return segments;
  }

  /** Bytes. */
  public long length() {
    return length;
  }

  /** Reads the bytes where they are; to be used while the chain is open. */
  public InputStream openStream() {
    return new RegisteredInputStream(segments);
  }

  /**
   * The bytes as Netty sees them, without a copy. The view holds references of its own, which go
   * when it is released.
   *
   * @throws IllegalArgumentException when they are more than 2 GB
   * @throws IllegalStateException when the chain is closed
   */
  public ByteBuf asByteBuf() {
    if (length > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(length + " bytes are too many for a ByteBuf");
    }
    CompositeByteBuf view =
        new CompositeByteBuf(UnpooledByteBufAllocator.DEFAULT, true, Math.max(1, segments.size()));
    try {
      for (Segment segment : segments) {
        view.addComponent(true, segment.buffer().asByteBuf(segment.length()));
      }
    } catch (RuntimeException e) {
      view.release();
      throw e;
    }
    return view;
  }

  /** Releases the buffers. Does nothing the second time. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      segments.forEach(segment -> segment.buffer().release());
    }
  }
}
