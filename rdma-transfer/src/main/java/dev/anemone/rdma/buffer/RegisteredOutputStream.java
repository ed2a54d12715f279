// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes into buffers of a pool, of which it takes one after the other. What was written becomes a
 * {@link RegisteredChain} by {@link #finish}; without that, closing it gives the buffers back. Used
 * by one thread.
 */
public final class RegisteredOutputStream extends OutputStream {

  private final RegisteredBufferPool pool;
  private final Duration patience;
  private final List<RegisteredBuffer> buffers = new ArrayList<>();
  private ByteBuffer current = ByteBuffer.allocate(0);
  private long earlier;
  private boolean closed;

  /**
   * A stream that has no buffer yet.
   *
   * @param patience how long a write waits for a buffer
   */
  public RegisteredOutputStream(RegisteredBufferPool pool, Duration patience) {
    this.pool = pool;
    this.patience = patience;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException when no buffer comes free in time, or the stream is closed
   */
  @Override
  public void write(int b) throws IOException {
    makeRoom();
    current.put((byte) b);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException when no buffer comes free in time, or the stream is closed; a part may have
   *     been written then
   */
  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    int done = 0;
    while (done < length) {
      makeRoom();
      int count = Math.min(length - done, current.remaining());
      current.put(bytes, offset + done, count);
      done += count;
    }
  }

  /** Writes what remains of a buffer; as {@link #write(byte[], int, int)}. */
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      makeRoom();
      int count = Math.min(bytes.remaining(), current.remaining());
      current.put(current.position(), bytes, bytes.position(), count);
      current.position(current.position() + count);
      bytes.position(bytes.position() + count);
    }
  }

  private void makeRoom() throws IOException {
    if (closed) {
      throw new IOException("the stream is closed");
    }
    if (current.hasRemaining()) {
      return;
    }
    try {
      RegisteredBuffer buffer = pool.acquire(patience);
      earlier += current.position();
      buffers.add(buffer);
      current = buffer.memory();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException)
          new InterruptedIOException("interrupted in waiting for a buffer").initCause(e);
    }
  }

  /** Bytes that were written. */
  public long length() {
    return earlier + current.position();
  }

  /**
   * Ends the stream.
   *
   * @return what was written; the caller closes it
   * @throws IllegalStateException when the stream is closed
   */
  public RegisteredChain finish() {
    if (closed) {
      throw new IllegalStateException("the stream is closed");
    }
    closed = true;
    List<RegisteredChain.Segment> segments = new ArrayList<>();
    for (int i = 0; i < buffers.size(); i++) {
      boolean last = i == buffers.size() - 1;
      segments.add(
          new RegisteredChain.Segment(
              buffers.get(i), last ? current.position() : buffers.get(i).capacity()));
    }
    return new RegisteredChain(segments);
  }

  /** Gives the buffers back, unless {@link #finish} was called. Does nothing the second time. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      buffers.forEach(RegisteredBuffer::release);
    }
  }
}
