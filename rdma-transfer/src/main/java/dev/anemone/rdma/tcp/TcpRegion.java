// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.RemoteRegion;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Memory that peers may name. The network touches it only while it is pinned, which is for the
 * length of one system call that does not wait; closing it waits for these.
 */
final class TcpRegion implements MemoryRegion {

  private static final int KEY_BYTES = 3 * Long.BYTES;
  private static final int CLOSED = 1 << 31;

  private final RegionTable table;
  private final ByteBuffer memory;
  private final int slot;
  private final long secret1;
  private final long secret2;
  private final RemoteRegion remote;

  /** The number of pins, with CLOSED when it is closed. */
  private final AtomicInteger pins = new AtomicInteger();

  private final Deque<ByteBuffer> views = new ArrayDeque<>();

  TcpRegion(RegionTable table, ByteBuffer memory, int slot, long secret1, long secret2) {
    this.table = table;
    this.memory = memory.duplicate().clear();
    this.slot = slot;
    this.secret1 = secret1;
    this.secret2 = secret2;
    ByteBuffer key = ByteBuffer.allocate(KEY_BYTES);
    key.putLong(slot).putLong(secret1).putLong(secret2).flip();
    this.remote = new RemoteRegion(memory.capacity(), key);
  }

  /**
   * Looks at a peer's region.
   *
   * @throws IllegalArgumentException when it is of another kind of transport
   */
  static void checkKey(RemoteRegion region) {
    if (region.keyLength() != KEY_BYTES) {
      throw new IllegalArgumentException(region + " is not of the transport " + TcpTransport.NAME);
    }
  }

  /** Puts the key of a peer's region into a header. */
  static void putKey(ByteBuffer header, RemoteRegion region, long offset) {
    FrameHeader.putRegion(
        header,
        offset,
        region.keyLong(0),
        region.keyLong(Long.BYTES),
        region.keyLong(2 * Long.BYTES));
  }

  int slot() {
    return slot;
  }

  boolean isOf(RegionTable regions) {
    return table == regions;
  }

  /** Compares in constant time, so that a secret cannot be found byte by byte. */
  boolean opensWith(long first, long second) {
    return ((first ^ secret1) | (second ^ secret2)) == 0;
  }

  @Override
  public ByteBuffer memory() {
    return memory.duplicate();
  }

  @Override
  public RemoteRegion remote() {
    return remote;
  }

  /** Whether a range lies in it. */
  boolean has(long offset, int length) {
    return offset >= 0 && length > 0 && offset <= memory.capacity() - length;
  }

  /** A view of a range, from its position to its limit; goes back by {@link #giveBack}. */
  ByteBuffer view(int position, int length) {
    ByteBuffer view;
    synchronized (views) {
      view = views.poll();
    }
    if (view == null) {
      view = memory.duplicate();
    }
    return view.limit(position + length).position(position);
  }

  void giveBack(ByteBuffer view) {
    synchronized (views) {
      views.push(view);
    }
  }

  /** Keeps the memory from going away until {@link #unpin}; false when it is closed. */
  boolean pin() {
    int before;
    do {
      before = pins.get();
      if ((before & CLOSED) != 0) {
        return false;
      }
    } while (!pins.compareAndSet(before, before + 1));
    return true;
  }

  void unpin() {
    pins.decrementAndGet();
  }

  @Override
  public void close() {
    int before = pins.getAndUpdate(count -> count | CLOSED);
    if ((before & CLOSED) == 0) {
      table.remove(this);
    }
    while (pins.get() != CLOSED) {
      Thread.onSpinWait();
    }
  }
}
