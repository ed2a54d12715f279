// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.anemone.rdma.pool.Lifetime;
import dev.anemone.rdma.pool.PoolPath;
import dev.anemone.rdma.pool.client.ObjectReader;
import dev.anemone.rdma.pool.client.ObjectWriter;
import dev.anemone.rdma.pool.client.PoolClient;
import dev.anemone.runtime.testing.TestMemoryPool;
import dev.anemone.testing.HeapAllocation;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * What goes into a pool and comes out of it is not copied on the heap: client and server together
 * make a few objects for a page, whatever it holds.
 */
class PoolAllocationTest {

  private static final int FEW_PAGES = 32;
  private static final int MANY_PAGES = 160;
  private static final int TRIES = 5;

  /** A call for the page, its answer and its place in the object; reads in four parts. */
  private static final int MOST_BYTES_PER_PAGE = 3_000;

  private static final int PART_BYTES = TestMemoryPool.PAGE_BYTES / 4;

  private final ByteBuffer part = ByteBuffer.allocateDirect(PART_BYTES);
  private int objects;

  @Test
  void allocatesFarLessThanItMoves() throws Exception {
    try (TestMemoryPool pool = TestMemoryPool.ofServers(1, MANY_PAGES);
        PoolClient client = pool.client()) {
      for (int i = 0; i < TRIES; i++) {
        move(client, MANY_PAGES);
      }
      long many = leastBytes(client, MANY_PAGES);
      long few = leastBytes(client, FEW_PAGES);
      assertThat((many - few) / (MANY_PAGES - FEW_PAGES)).isLessThan(MOST_BYTES_PER_PAGE);
    }
  }

  /** Other threads of the JVM may allocate, too, but not each time. */
  private long leastBytes(PoolClient client, int pages) throws IOException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      HeapAllocation allocation = HeapAllocation.begin();
      move(client, pages);
      least = Math.min(least, allocation.bytes());
    }
    return least;
  }

  private void move(PoolClient client, int pages) throws IOException {
    PoolPath path = PoolPath.of("/object-" + objects++);
    long length = (long) pages * TestMemoryPool.PAGE_BYTES;
    try (ObjectWriter writer = client.create(path, Lifetime.LEASE)) {
      for (long done = 0; done < length; done += PART_BYTES) {
        writer.write(part.clear());
      }
      writer.commit();
    }
    ObjectReader reader = client.open(path);
    long read = 0;
    for (long position = 0; position < length; position += PART_BYTES) {
      read += reader.read(position, part.clear());
    }
    assertThat(read).isEqualTo(length);
    client.delete(path);
  }
}
