// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server.tier;

import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
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
public final class PoolMemory implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PoolMemory.class);
  private static final int MAX_REGION_BYTES = 1 << 30;

  private final List<MemoryRegion> registered = new ArrayList<>();
  private final List<FilePages> files = new ArrayList<>();
  private final List<KeptPages> kept = new ArrayList<>();
  private final List<RegionInfo> regions = new ArrayList<>();
  private final OwnPages own;
  private final ByteBuffer generations;
  private final RegionInfo generationsInfo;

  private PoolMemory(Transport transport, List<TierOptions> tiers, int pageBytes, String keptName)
      throws IOException {
    int pages = 0;
    int perRegion = MAX_REGION_BYTES / pageBytes;
    List<OwnPages.Run> runs = new ArrayList<>();
    try {
      for (TierOptions tier : tiers) {
        int count = pages(tier, pageBytes);
        if (tier.kind() == TierKind.FILE) {
          Path directory = tier.directory().orElseThrow();
          FilePages file = FilePages.create(directory, pages, count, pageBytes);
          files.add(file);
          regions.add(file.info());
          pages += count;
          continue;
        }
        int first = registered.size();
        if (tier.keep()) {
          KeptPages found = KeptPages.open(keptFile(tier, keptName), pages, count, pageBytes);
          kept.add(found);
          for (ByteBuffer piece : found.pieces(perRegion)) {
            registered.add(transport.register(piece));
          }
        } else {
          TierMemory.register(transport, tier, count, pageBytes, perRegion, registered::add);
        }
        for (MemoryRegion region : registered.subList(first, registered.size())) {
          int held = region.memory().capacity() / pageBytes;
          regions.add(RegionInfo.of(tier.kind(), pages, held, region.remote()));
          runs.add(new OwnPages.Run(pages, held, region.memory()));
          pages += held;
        }
      }
      MemoryRegion region = transport.allocate(pages * Long.BYTES);
      registered.add(region);
      generations = region.memory();
      generationsInfo = RegionInfo.of(tiers.get(0).kind(), 0, pages, region.remote());
      own = new OwnPages(pageBytes, runs);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Makes and registers it.
   *
   * @param pageBytes size of a page, bytes
   * @param keptName what the names of kept files begin with
   * @throws IOException when there is not so much memory or room, or the network cannot take it
   */
  public static PoolMemory open(
      Transport transport, List<TierOptions> tiers, int pageBytes, String keptName)
      throws IOException {
    return new PoolMemory(transport, tiers, pageBytes, keptName);
  }

  /** By how many kept tiers are before it. */
  private Path keptFile(TierOptions tier, String keptName) {
    return tier.directory().orElseThrow().resolve(keptName + "-" + kept.size() + ".pages");
  }

  /** Whole pages of a tier. */
  public static int pages(TierOptions tier, int pageBytes) {
    return Math.toIntExact(tier.capacityBytes() / pageBytes);
  }

  /** The regions of pages. */
  public List<RegionInfo> regions() {
    return List.copyOf(regions);
  }

  /** The pages that are not registered, but in files. */
  public List<FilePages> files() {
    return List.copyOf(files);
  }

  /** The pages that are registered, for the server itself. */
  public OwnPages own() {
    return own;
  }

  /** The pages that outlive the server. */
  public List<KeptPages> kept() {
    return List.copyOf(kept);
  }

  /** Eight bytes for each page. */
  public ByteBuffer generations() {
    return generations;
  }

  /** The region of the generations. */
  public RegionInfo generationsInfo() {
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
    for (KeptPages pages : kept) {
      try {
        pages.close();
      } catch (IOException e) {
        LOG.warn("the file of a kept tier could not be closed", e);
      }
    }
  }
}
