// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Pages in memory, one behind the other, whether the network reaches them or not.
 *
 * @param first number of the first
 * @param memory of all of them; its owner's
 */
record MappedPages(int first, int count, int pageBytes, ByteBuffer memory) implements ServedPages {

  @Override
  public boolean has(int page) {
    return page >= first && page - first < count;
  }

  @Override
  public ByteBuffer read(int page, int from, int length) {
    Objects.checkFromIndexSize(from, length, pageBytes);
    byte[] bytes = new byte[length];
    memory.get(position(page) + from, bytes);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public void write(int page, int at, ByteBuffer bytes) {
    Objects.checkFromIndexSize(at, bytes.remaining(), pageBytes);
    memory.put(position(page) + at, bytes, bytes.position(), bytes.remaining());
    bytes.position(bytes.limit());
  }

  private int position(int page) {
    return (page - first) * pageBytes;
  }
}
