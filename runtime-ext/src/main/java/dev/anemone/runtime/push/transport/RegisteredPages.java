// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.memory.PagePlace;
import dev.anemone.runtime.memory.PagePool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The pages of a pool as a transport knows them. A slab of the pool is registered when the first of
 * its pages is used, and stays so, as in NetSpark: registering is dear. Thread-safe.
 */
final class RegisteredPages implements AutoCloseable {

  private final Transport transport;
  private final PagePool pool;
  private final Map<Integer, MemoryRegion> regions = new HashMap<>();
  private boolean closed;

  RegisteredPages(Transport transport, PagePool pool) {
    this.transport = transport;
    this.pool = pool;
  }

  /** Where a page lies in its pool: the offset is that in its {@link #region}. */
  PagePlace placeOf(ByteBuffer page) {
    return pool.placeOf(page);
  }

  /**
   * The region of a slab.
   *
   * @throws IOException when it cannot be registered, with the reason
   */
  synchronized MemoryRegion region(PagePlace place) throws IOException {
    if (closed) {
      throw new IOException("the registered pages are closed");
    }
    MemoryRegion region = regions.get(place.slab());
    if (region == null) {
      region = transport.register(place.memory());
      regions.put(place.slab(), region);
    }
    return region;
  }

  /** Ends the registrations; nobody may use the pages for the network any longer. */
  @Override
  public synchronized void close() {
    closed = true;
    regions.values().forEach(MemoryRegion::close);
    regions.clear();
  }
}
