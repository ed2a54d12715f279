// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.buffer;

import dev.anemone.rdma.transport.MemoryRegion;
import io.netty.buffer.ByteBuf;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A buffer of a {@link RegisteredBufferPool}. Whoever holds a reference may use it, and releases it
 * once; with the last one it goes back to the pool. While its memory is used, by this process or by
 * the network, a reference must be held, and the buffer be reachable.
 *
 * <p>Counting is thread-safe; the memory is as any other.
 */
public final class RegisteredBuffer {

  private static final Cleaner CLEANER = Cleaner.create();

  private final Lease lease;
  private final Cleaner.Cleanable cleanable;

  RegisteredBuffer(Lease lease) {
    this.lease = lease;
    this.cleanable = CLEANER.register(this, lease);
  }

  static IllegalStateException released() {
    return new IllegalStateException("the registered buffer was released");
  }

  private Piece piece() {
    if (lease.references() == 0) {
      throw released();
    }
    return lease.piece();
  }

  /**
   * The region in which it lies: for operations on a connection.
   *
   * @throws IllegalStateException when it was released
   */
  public MemoryRegion region() {
    return piece().region();
  }

  /**
   * Where it begins in its region, bytes.
   *
   * @throws IllegalStateException when it was released
   */
  public int position() {
    return piece().position();
  }

  /** Its bytes. */
  public int capacity() {
    return lease.piece().length();
  }

  /**
   * The memory: a view of its own, from 0 to the capacity.
   *
   * @throws IllegalStateException when it was released
   */
  public ByteBuffer memory() {
    Piece piece = piece();
    return piece.region().memory().slice(piece.position(), piece.length());
  }

  /**
   * The first bytes as Netty sees them, without a copy. The view holds a reference of its own,
   * which goes when it is released; it cannot grow.
   *
   * @param length bytes that can be read
   * @throws IndexOutOfBoundsException when there are not so many
   * @throws IllegalStateException when it was released
   */
  public ByteBuf asByteBuf(int length) {
    Objects.checkFromIndexSize(0, length, capacity());
    retain();
    return new RegisteredByteBuf(this, length);
  }

  /**
   * One more reference.
   *
   * @return this
   * @throws IllegalStateException when it was released
   */
  public RegisteredBuffer retain() {
    lease.retain();
    return this;
  }

  /**
   * One reference less.
   *
   * @return whether it was the last, and the buffer is the pool's again
   * @throws IllegalStateException when it was released before
   */
  public boolean release() {
    boolean last = lease.release();
    if (last) {
      cleanable.clean();
    }
    return last;
  }

  @Override
  public String toString() {
    return "RegisteredBuffer[" + capacity() + " bytes, " + lease.references() + " references]";
  }
}
