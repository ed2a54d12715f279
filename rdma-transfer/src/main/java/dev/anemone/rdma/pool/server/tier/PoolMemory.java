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

  private final Transport transport;
  private final int pageBytes;
  private int pages;
  private final List<MemoryRegion> registered = new ArrayList<>();
  private final List<FilePages> files = new ArrayList<>();
  private final List<ServedPages> served = new ArrayList<>();
  private final List<KeptPages> kept = new ArrayList<>();
  private final List<MappedPages> runs = new ArrayList<>();
  private final List<RegionInfo> regions = new ArrayList<>();
  private final OwnPages own;
  private final ByteBuffer generations;
  private final RegionInfo generationsInfo;

  private PoolMemory(Transport transport, List<TierOptions> tiers, int pageBytes, String keptName)
      throws IOException {
    this.transport = transport;
    this.pageBytes = pageBytes;
    try {
      for (TierOptions tier : tiers) {
        add(tier, keptName);
      }
      MemoryRegion region = transport.allocate(pages * Long.BYTES);
      registered.add(region);
      generations = region.memory();
      generationsInfo = RegionInfo.of(tiers.get(0).kind(), 0, pages, region.remote());
      own = new OwnPages(runs);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void add(TierOptions tier, String keptName) throws IOException {
    int count = pages(tier, pageBytes);
    int perRegion = MAX_REGION_BYTES / pageBytes;
    if (tier.kind() == TierKind.FILE) {
      FilePages file = FilePages.create(tier.directory().orElseThrow(), pages, count, pageBytes);
      files.add(file);
      served.add(file);
      regions.add(file.info());
      pages += count;
      return;
    }
    if (tier.keep()) {
      KeptPages found = KeptPages.open(keptFile(tier, keptName), pages, count, pageBytes);
      kept.add(found);
      for (ByteBuffer piece : found.pieces(perRegion)) {
        addMapped(tier, piece);
      }
      return;
    }
    List<Integer> sizes = new ArrayList<>();
    for (int left = count; left > 0; left -= perRegion) {
      sizes.add(Math.min(left, perRegion) * pageBytes);
    }
    if (tier.directory().isPresent()) {
      for (ByteBuffer piece : TierMemory.mapped(tier.directory().get(), tier.kind(), sizes)) {
        addMapped(tier, piece);
      }
    } else {
      TierMemory.allocate(transport, tier, sizes, region -> addRegistered(tier, region));
    }
  }

  private void addRegistered(TierOptions tier, MemoryRegion region) {
    registered.add(region);
    MappedPages run = run(region.memory());
    regions.add(RegionInfo.of(tier.kind(), run.first(), run.count(), region.remote()));
  }

  /**
   * Registers memory of a file, or else serves it: Linux pins no pages of a DAX file system for a
   * network that would keep them for as long as it likes.
   */
  private void addMapped(TierOptions tier, ByteBuffer memory) {
    try {
      addRegistered(tier, transport.register(memory));
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be reached by {}, so what it holds goes by messages, which this server reads"
              + " and writes: {}",
          tier.directory().orElseThrow(),
          transport.name(),
          e.getMessage());
      MappedPages run = run(memory);
      served.add(run);
      regions.add(RegionInfo.served(tier.kind(), run.first(), run.count(), memory.capacity()));
    }
  }

  private MappedPages run(ByteBuffer memory) {
    MappedPages run = new MappedPages(pages, memory.capacity() / pageBytes, pageBytes, memory);
    runs.add(run);
    pages += run.count();
    return run;
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

  /** The pages that are not registered, such as those in files. */
  public List<ServedPages> served() {
    return List.copyOf(served);
  }

  /** The pages that are in memory, for the server itself. */
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
