// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.memory.PagePlace;
import dev.anemone.runtime.memory.PagePool;
import dev.anemone.runtime.memory.SlabSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pages of a pool as a transport knows them. Slabs that the pool makes from now on are memory
 * of the transport's own, which peers on this machine map where it can do that; one that was there
 * before is registered when the first of its pages is used. Either stays registered, as in
 * NetSpark: registering is dear. Thread-safe.
 */
final class RegisteredPages implements AutoCloseable, SlabSource {

  private static final Logger LOG = LoggerFactory.getLogger(RegisteredPages.class);

  private final Transport transport;
  private final PagePool pool;
  private final Map<Integer, MemoryRegion> regions = new HashMap<>();
  private boolean closed;

  private RegisteredPages(Transport transport, PagePool pool) {
    this.transport = transport;
    this.pool = pool;
  }

  /** The pages of a pool, which takes its memory from the transport until this is closed. */
  static RegisteredPages of(Transport transport, PagePool pool) {
    RegisteredPages pages = new RegisteredPages(transport, pool);
    pool.takeSlabsFrom(pages);
    return pages;
  }

  /** {@inheritDoc} The JVM's direct memory, where the transport has none. */
  @Override
  public ByteBuffer allocate(int slab, int bytes) {
    try {
      return allocateRegistered(slab, bytes);
    } catch (IOException e) {
      LOG.warn(
          "{} bytes for pages are the JVM's, not of the transport {}: {}",
          bytes,
          transport.name(),
          e.getMessage());
      return DIRECT.allocate(slab, bytes);
    }
  }

  private synchronized ByteBuffer allocateRegistered(int slab, int bytes) throws IOException {
    checkOpen();
    MemoryRegion region = transport.allocate(bytes);
    regions.put(slab, region);
    return region.memory();
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("the registered pages are closed");
    }
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
    checkOpen();
    MemoryRegion region = regions.get(place.slab());
    if (region == null) {
      region = transport.register(place.memory());
      regions.put(place.slab(), region);
    }
    return region;
  }

  /** Ends the registrations; nobody may use the pages for the network any longer. */
  @Override
  public void close() {
    pool.leave(this);
    synchronized (this) {
      closed = true;
      regions.values().forEach(MemoryRegion::close);
      regions.clear();
    }
  }
}
