// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.pool;

import dev.anemone.rdma.pool.client.ObjectWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;

/**
 * Writes a file of a pool, which is there when the channel has been closed, unless a write has
 * failed. Gathers a page on the heap, so that no buffer of the pool's client waits for a slow
 * writer. Not thread-safe.
 */
final class ObjectOutput implements WritableByteChannel {

  private static final int FIRST_BYTES = 16 << 10;

  private final OpenPools.Use pool;
  private final ObjectWriter writer;
  private ByteBuffer page = ByteBuffer.allocate(0);
  private boolean open = true;

  /** Takes both over. */
  ObjectOutput(OpenPools.Use pool, ObjectWriter writer) {
    this.pool = pool;
    this.writer = writer;
  }

  @Override
  public int write(ByteBuffer bytes) throws IOException {
    if (!open) {
      throw new ClosedChannelException();
    }
    int begin = bytes.position();
    try {
      while (bytes.hasRemaining()) {
        makeRoom(bytes.remaining());
        int count = Math.min(bytes.remaining(), page.remaining());
        page.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
      }
    } catch (IOException | RuntimeException e) {
      giveUp(e);
      throw e;
    }
    return bytes.position() - begin;
  }

  private void makeRoom(int wanted) throws IOException {
    int pageBytes = pool.client().pageBytes();
    if (!page.hasRemaining() && page.capacity() == pageBytes) {
      flush();
    } else if (page.remaining() < wanted && page.capacity() < pageBytes) {
      long room =
          Math.max(2L * page.capacity(), Math.max(FIRST_BYTES, page.position() + (long) wanted));
      page = ByteBuffer.allocate((int) Math.min(room, pageBytes)).put(page.flip());
    }
  }

  private void flush() throws IOException {
    writer.write(page.flip());
    page.clear();
  }

  private void giveUp(Exception why) {
    open = false;
    try (OpenPools.Use closedLast = pool) {
      writer.close();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /**
   * Makes the file visible.
   *
   * @throws IOException when it could not be; nothing is there then
   */
  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    try (OpenPools.Use closedLast = pool;
        ObjectWriter closedFirst = writer) {
      flush();
      closedFirst.commit();
    }
  }
}
