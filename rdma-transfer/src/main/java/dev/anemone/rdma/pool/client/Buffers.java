// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.client;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A few buffers of one size in one piece of memory that is registered once, as in NetSpark's
 * registered buffer pool. It owns the registration. Thread-safe.
 */
final class Buffers implements AutoCloseable {

  private final MemoryRegion region;
  private final ByteBuffer memory;

  /** One of each buffer, for whoever has it. */
  private final ByteBuffer[] views;

  private final int bufferBytes;
  private final int count;

  /** Positions; the first {@link #free} of them are free. The one given back last goes first. */
  private final int[] positions;

  private int free;

  /**
   * Makes and registers {@code count} buffers of {@code bufferBytes} bytes.
   *
   * @throws IOException when there is not so much memory, or the network cannot take it
   */
  Buffers(Transport transport, int count, int bufferBytes) throws IOException {
    this.bufferBytes = bufferBytes;
    this.count = count;
    this.region = allocate(transport, count, bufferBytes);
    this.memory = region.memory();
    this.positions = new int[count];
    this.views = new ByteBuffer[count];
    this.free = count;
    for (int i = 0; i < count; i++) {
      positions[i] = (count - 1 - i) * bufferBytes;
      views[i] = memory.slice(i * bufferBytes, bufferBytes);
    }
  }

  private static MemoryRegion allocate(Transport transport, int count, int bufferBytes)
      throws IOException {
    long bytes = (long) count * bufferBytes;
    try {
      if (bytes > Transport.MAX_ALLOCATION_BYTES) {
        throw new IOException("that is more than 2 GB");
      }
      return transport.allocate((int) bytes);
    } catch (IOException e) {
      throw new IOException(
          "There is no memory for "
              + count
              + " buffers of "
              + bufferBytes
              + " bytes for the pool's client: "
              + e.getMessage()
              + ". Give it fewer.",
          e);
    }
  }

  /** The memory in which all buffers lie. */
  MemoryRegion region() {
    return region;
  }

  /** A buffer: its position in the region, or -1 when none is free. */
  synchronized int tryTake() {
    return free == 0 ? -1 : positions[--free];
  }

  /**
   * A buffer; waits for one.
   *
   * @throws IOException when none has become free at the deadline
   */
  synchronized int take(Duration deadline) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    while (free == 0) {
      long millis = (end - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        throw new IOException(
            "All "
                + count
                + " buffers of the pool's client were taken for "
                + deadline.toMillis()
                + " ms. Write fewer objects at a time, or give it more buffers.");
      }
      try {
        wait(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while waiting for a buffer of the pool's client", e);
      }
    }
    return positions[--free];
  }

  /** Takes a buffer back. */
  synchronized void giveBack(int position) {
    positions[free++] = position;
    notifyAll();
  }

  /** A view of {@code length} bytes of a buffer, from {@code from} on. */
  ByteBuffer view(int position, int from, int length) {
    return memory.slice(position + from, length);
  }

  /**
   * A view of the first {@code length} bytes of a buffer; the same each time, so that it is valid
   * until the next call for this buffer. Only who alone uses the buffer may ask.
   */
  ByteBuffer ownView(int position, int length) {
    return views[position / bufferBytes].clear().limit(length);
  }

  /** Copies the next {@code length} bytes of another buffer to a buffer, from {@code to} on. */
  void fill(int position, int to, ByteBuffer from, int length) {
    memory.put(position + to, from, from.position(), length);
    from.position(from.position() + length);
  }

  /** Copies the first bytes of a buffer to where another one is. */
  void drain(int position, int length, ByteBuffer into) {
    into.put(into.position(), memory, position, length);
    into.position(into.position() + length);
  }

  /** The first eight bytes of a buffer. */
  long getLong(int position) {
    return memory.getLong(position);
  }

  int bufferBytes() {
    return bufferBytes;
  }

  @Override
  public void close() {
    region.close();
  }
}
