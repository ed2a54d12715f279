// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.protocol.RegionInfo;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The registered memory of a server: the chunks of all tiers, and their generations. It owns the
 * registrations; the memory below is the garbage collector's once they are closed.
 */
final class PoolMemory implements AutoCloseable {

  private static final int MAX_REGION_BYTES = 1 << 30;

  private final List<MemoryRegion> registered = new ArrayList<>();
  private final List<RegionInfo> regions = new ArrayList<>();
  private final ByteBuffer generations;
  private final RegionInfo generationsInfo;

  private PoolMemory(Transport transport, PoolServerOptions options) throws IOException {
    int chunks = 0;
    int perRegion = MAX_REGION_BYTES / options.chunkBytes();
    try {
      for (TierOptions tier : options.tiers()) {
        int count = chunks(tier, options.chunkBytes());
        int first = registered.size();
        TierMemory.register(
            transport, tier, count, options.chunkBytes(), perRegion, registered::add);
        for (MemoryRegion region : registered.subList(first, registered.size())) {
          int held = region.memory().capacity() / options.chunkBytes();
          regions.add(RegionInfo.of(tier.kind(), chunks, held, region.remote()));
          chunks += held;
        }
      }
      MemoryRegion region = transport.allocate(chunks * Long.BYTES);
      registered.add(region);
      generations = region.memory();
      generationsInfo = RegionInfo.of(options.tiers().get(0).kind(), 0, chunks, region.remote());
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Makes and registers it.
   *
   * @throws IOException when there is not so much memory or room, or the network cannot take it
   */
  static PoolMemory open(Transport transport, PoolServerOptions options) throws IOException {
    return new PoolMemory(transport, options);
  }

  /** Whole chunks of a tier. */
  static int chunks(TierOptions tier, int chunkBytes) {
    return Math.toIntExact(tier.capacityBytes() / chunkBytes);
  }

  /** The regions of chunks. */
  List<RegionInfo> regions() {
    return List.copyOf(regions);
  }

  /** Eight bytes for each chunk. */
  ByteBuffer generations() {
    return generations;
  }

  /** The region of the generations. */
  RegionInfo generationsInfo() {
    return generationsInfo;
  }

  @Override
  public void close() {
    registered.forEach(MemoryRegion::close);
  }
}
