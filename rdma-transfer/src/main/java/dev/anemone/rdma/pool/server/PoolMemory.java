// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.protocol.RegionInfo;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of a server: the pages of all tiers, which are registered or in files, and their
 * generations. It owns registrations and files; the memory below the former is the garbage
 * collector's once they are closed.
 */
final class PoolMemory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PoolMemory.class);
  private static final int MAX_REGION_BYTES = 1 << 30;

  private final List<MemoryRegion> registered = new ArrayList<>();
  private final List<FilePages> files = new ArrayList<>();
  private final List<RegionInfo> regions = new ArrayList<>();
  private final ByteBuffer generations;
  private final RegionInfo generationsInfo;

  private PoolMemory(Transport transport, PoolServerOptions options) throws IOException {
    int pages = 0;
    int perRegion = MAX_REGION_BYTES / options.pageBytes();
    try {
      for (TierOptions tier : options.tiers()) {
        int count = pages(tier, options.pageBytes());
        if (tier.kind() == TierKind.FILE) {
          Path directory = tier.directory().orElseThrow();
          FilePages file = FilePages.create(directory, pages, count, options.pageBytes());
          files.add(file);
          regions.add(file.info());
          pages += count;
          continue;
        }
        int first = registered.size();
        TierMemory.register(
            transport, tier, count, options.pageBytes(), perRegion, registered::add);
        for (MemoryRegion region : registered.subList(first, registered.size())) {
          int held = region.memory().capacity() / options.pageBytes();
          regions.add(RegionInfo.of(tier.kind(), pages, held, region.remote()));
          pages += held;
        }
      }
      MemoryRegion region = transport.allocate(pages * Long.BYTES);
      registered.add(region);
      generations = region.memory();
      generationsInfo = RegionInfo.of(options.tiers().get(0).kind(), 0, pages, region.remote());
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

  /** Whole pages of a tier. */
  static int pages(TierOptions tier, int pageBytes) {
    return Math.toIntExact(tier.capacityBytes() / pageBytes);
  }

  /** The regions of pages. */
  List<RegionInfo> regions() {
    return List.copyOf(regions);
  }

  /** The pages that are not registered, but in files. */
  List<FilePages> files() {
    return List.copyOf(files);
  }

  /** Eight bytes for each page. */
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
    for (FilePages file : files) {
      try {
        file.close();
      } catch (IOException e) {
        LOG.warn("the file of a tier could not be closed", e);
      }
    }
  }
}
