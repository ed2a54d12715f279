// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.nio.ByteBuffer;

/**
 * Registered memory of another process, as its {@linkplain MemoryRegion#remote() owner} tells it to
 * its peers. Immutable.
 */
public final class RemoteRegion {

  private final long length;
  private final ByteBuffer key;
  private final int hash;

  /**
   * A region.
   *
   * @param length bytes
   * @param key what the transport needs to find and to open the memory: its bytes from position to
   *     limit, which only transports of the same name understand; copied
   */
  public RemoteRegion(long length, ByteBuffer key) {
    this.length = length;
    this.key = ByteBuffer.allocate(key.remaining()).put(key.duplicate()).flip();
    this.hash = 31 * Long.hashCode(length) + this.key.hashCode();
  }

  /** Bytes of the region. */
  public long length() {
    return length;
  }

  /** The key: a read-only view with a position of its own. */
  public ByteBuffer key() {
    return key.asReadOnlyBuffer();
  }

  /** Bytes of the key. */
  public int keyLength() {
    return key.limit();
  }

  /**
   * Eight bytes of the key, big endian: for transports that look at keys in every operation.
   *
   * @param index of the first of them
   * @throws IndexOutOfBoundsException when the key does not have them
   */
  public long keyLong(int index) {
    return key.getLong(index);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RemoteRegion that && length == that.length && key.equals(that.key);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return "RemoteRegion[" + length + " bytes, key of " + key.remaining() + " bytes]";
  }
}
