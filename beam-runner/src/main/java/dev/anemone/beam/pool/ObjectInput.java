// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.client.ObjectReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * Reads a file of a pool, at any position; small reads are answered from what was read ahead. Not
 * thread-safe.
 */
final class ObjectInput implements SeekableByteChannel {

  private static final int AHEAD_BYTES = 256 << 10;

  private final OpenPools.Use pool;
  private final ObjectReader reader;

  /** What was read ahead: bytes from {@link #aheadAt} on. */
  private ByteBuffer ahead = ByteBuffer.allocate(0);

  private long aheadAt;
  private long position;
  private boolean open = true;

  /** Takes the pool over. */
  ObjectInput(OpenPools.Use pool, ObjectReader reader) {
    this.pool = pool;
    this.reader = reader;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    requireOpen();
    if (position >= reader.length()) {
      return into.hasRemaining() ? -1 : 0;
    }
    int read;
    if (into.remaining() >= AHEAD_BYTES) {
      read = reader.read(position, into);
    } else {
      if (position < aheadAt || position >= aheadAt + ahead.limit()) {
        readAhead();
      }
      int from = (int) (position - aheadAt);
      read = Math.min(into.remaining(), ahead.limit() - from);
      into.put(ahead.slice(from, read));
    }
    position += read;
    return read;
  }

  private void readAhead() throws IOException {
    int bytes = (int) Math.min(AHEAD_BYTES, reader.length() - position);
    ByteBuffer next = ahead.capacity() >= bytes ? ahead : ByteBuffer.allocate(bytes);
    // Nothing is ahead while it is read, for reading can fail.
    ahead = ByteBuffer.allocate(0);
    reader.read(position, next.clear().limit(bytes));
    aheadAt = position;
    ahead = next.flip();
  }

  private void requireOpen() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public long position() throws IOException {
    requireOpen();
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws IOException {
    requireOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("position " + newPosition);
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return reader.length();
  }

  @Override
  public int write(ByteBuffer bytes) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long size) {
    throw new NonWritableChannelException();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      pool.close();
    }
  }
}
