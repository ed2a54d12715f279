// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

import dev.anemone.rdma.pool.ObjectId;
import dev.anemone.rdma.pool.ServerStatus;
import dev.anemone.rdma.pool.TierKind;
import dev.anemone.rdma.pool.TierOptions;
import dev.anemone.rdma.pool.protocol.FreePages;
import dev.anemone.rdma.pool.protocol.Refusal;
import dev.anemone.rdma.pool.protocol.RefusedException;
import dev.anemone.rdma.pool.protocol.RegionInfo;
import dev.anemone.rdma.pool.protocol.Reply;
import dev.anemone.rdma.pool.protocol.Request.Named;
import dev.anemone.rdma.pool.protocol.Request.PageId;
import dev.anemone.rdma.pool.protocol.StoredObject;
import dev.anemone.rdma.pool.server.tier.PoolMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has which page of this server. A page is free, or open: a client writes it; or sealed: it
 * belongs to an object. All pages have one size and each tier has a stack of free ones, so nothing
 * is ever fragmented, and taking one is a few instructions.
 *
 * <p>A page's generation counts how often it was freed. It lies in registered memory: a reader that
 * finds the same generation after it has read bytes knows that they were the object's (as in FaRM,
 * Dragojević et al., 2014, with a version for each object).
 *
 * <p>Thread-safe.
 */
final class PageTable {

  private static final VarHandle GENERATION =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final int pageBytes;
  private final ByteBuffer generations;
  private final List<Tier> tiers = new ArrayList<>();
  private final Map<Object, BitSet> open = new HashMap<>();

  /** Pages of writers that have gone and may still write. */
  private final Map<Object, BitSet> withheld = new HashMap<>();

  private final Map<ObjectId, Sealed> sealed = new HashMap<>();
  private int sealedPages;
  private long sealedInAll;
  private long freedInAll;
  private long refusedInAll;
  private long sealings;
  private boolean draining;

  /** One tier's free pages. */
  private static final class Tier {
    final TierKind kind;
    final int first;
    final int served;
    final int[] free;
    int freeCount;

    Tier(TierKind kind, int first, int count, int served) {
      this.kind = kind;
      this.first = first;
      this.served = served;
      this.free = new int[count];
      for (int i = 0; i < count; i++) {
        free[i] = first + count - 1 - i;
      }
      this.freeCount = count;
    }

    /** Those of these that are free are not free any longer. */
    void take(BitSet pages) {
      int left = 0;
      for (int i = 0; i < freeCount; i++) {
        if (!pages.get(free[i])) {
          free[left++] = free[i];
        }
      }
      freeCount = left;
    }

    boolean has(int page) {
      return page >= first && page < first + free.length;
    }
  }

  /** The pages of an object, and when it got them: the number of the sealing. */
  private record Sealed(String path, BitSet pages, long sealing) {}

  /**
   * A sealed object.
   *
   * @param sealing number of its last sealing
   */
  record SealedObject(Named name, long sealing) {}

  /**
   * All pages are free.
   *
   * @param generations registered, eight bytes for each page
   * @param regions the pages, as they are told to clients
   */
  PageTable(
      List<TierOptions> options, int pageBytes, ByteBuffer generations, List<RegionInfo> regions) {
    this.pageBytes = pageBytes;
    this.generations = generations;
    int first = 0;
    for (TierOptions tier : options) {
      int pages = PoolMemory.pages(tier, pageBytes);
      tiers.add(new Tier(tier.kind(), first, pages, served(regions, first, pages)));
      first += pages;
    }
  }

  /** How many pages of a tier the server reads and writes for its clients. */
  private static int served(List<RegionInfo> regions, int first, int pages) {
    return regions.stream()
        .filter(RegionInfo::isServed)
        .filter(region -> region.firstPage() >= first && region.firstPage() < first + pages)
        .mapToInt(RegionInfo::pages)
        .sum();
  }

  /**
   * Takes a page of the fastest tier that has one.
   *
   * @param writer who writes it, until it is released or sealed
   * @param first the fastest kind of tier that it may be of
   * @param last the slowest
   * @throws RefusedException when no such tier has one
   */
  synchronized Reply.Allocated allocate(Object writer, TierKind first, TierKind last)
      throws RefusedException {
    if (draining) {
      throw new RefusedException(Refusal.FULL, "it takes no more objects, as it is to end");
    }
    for (TierKind kind : EnumSet.range(first, last)) {
      for (Tier tier : tiers) {
        if (tier.kind == kind && tier.freeCount > 0) {
          int page = tier.free[--tier.freeCount];
          open.computeIfAbsent(writer, ignored -> new BitSet()).set(page);
          return new Reply.Allocated(page, generation(page), kind);
        }
      }
    }
    refusedInAll++;
    throw new RefusedException(Refusal.FULL, "all its pages are taken");
  }

  /**
   * Takes back pages that a writer does not write any longer.
   *
   * @throws RefusedException when one is not the writer's; none is taken back then
   */
  synchronized void release(Object writer, List<PageId> pages) throws RefusedException {
    BitSet own = open.getOrDefault(writer, new BitSet());
    for (PageId page : pages) {
      if (page.number() < 0 || !own.get(page.number())) {
        throw new RefusedException(
            Refusal.FAILED, "page " + page.number() + " is not this client's");
      }
    }
    for (PageId page : pages) {
      // A page that is named twice has been taken back already.
      if (own.get(page.number())) {
        own.clear(page.number());
        free(page.number());
      }
    }
    forgetIfEmpty(writer, own);
  }

  /** Takes back all pages of a writer, which must be unable to write into them any longer. */
  synchronized void releaseAll(Object writer) {
    for (Map<Object, BitSet> held : List.of(open, withheld)) {
      BitSet own = held.remove(writer);
      if (own != null) {
        own.stream().forEach(this::free);
      }
    }
  }

  /**
   * Takes all pages from a writer that may still write into them: nobody has them, and nobody gets
   * them, until they are {@linkplain #releaseAll released}.
   *
   * @return whether it had any
   */
  synchronized boolean withhold(Object writer) {
    BitSet own = open.remove(writer);
    if (own != null) {
      withheld.put(writer, own);
    }
    return own != null;
  }

  /**
   * Hands pages from their writer to an object. Does nothing when the object has them already.
   *
   * @throws RefusedException when one is no longer the writer's; none is handed over then
   */
  synchronized void seal(Named object, List<PageId> pages) throws RefusedException {
    BitSet wanted = new BitSet();
    for (PageId page : pages) {
      if (tiers.stream().noneMatch(tier -> tier.has(page.number()))) {
        throw new RefusedException(Refusal.FAILED, "there is no page " + page.number());
      }
      wanted.set(page.number());
    }
    Sealed before = sealed.get(object.id());
    if (before == null) {
      Object writer = writer(pages);
      BitSet own = open.get(writer);
      own.andNot(wanted);
      forgetIfEmpty(writer, own);
      sealedPages += wanted.cardinality();
      sealedInAll += wanted.cardinality();
    } else if (!before.pages().equals(wanted)) {
      throw new RefusedException(Refusal.FAILED, "the object has other pages already");
    }
    sealed.put(object.id(), new Sealed(object.path(), wanted, ++sealings));
  }

  /** Gives free pages to objects that had them when the server was started. */
  synchronized void restore(List<StoredObject> objects) {
    BitSet taken = new BitSet();
    for (StoredObject object : objects) {
      BitSet own = new BitSet();
      object.pages().forEach(page -> own.set(page.number()));
      taken.or(own);
      sealed.put(object.id(), new Sealed(object.path(), own, ++sealings));
      sealedPages += own.cardinality();
    }
    tiers.forEach(tier -> tier.take(taken));
  }

  /** Whether somebody writes a page. */
  synchronized boolean isOpen(Object writer, int page) {
    return page >= 0 && open.getOrDefault(writer, new BitSet()).get(page);
  }

  private Object writer(List<PageId> pages) throws RefusedException {
    for (Map.Entry<Object, BitSet> writer : open.entrySet()) {
      if (pages.stream().allMatch(page -> isOpen(writer.getValue(), page))) {
        return writer.getKey();
      }
    }
    throw new RefusedException(
        Refusal.FAILED, "a page was freed, since the lease of its writer is over");
  }

  private boolean isOpen(BitSet own, PageId page) {
    return own.get(page.number()) && generation(page.number()) == page.generation();
  }

  /** Frees the pages of an object; does nothing when it has none. */
  synchronized void free(ObjectId id) {
    Sealed object = sealed.remove(id);
    if (object != null) {
      sealedPages -= object.pages().cardinality();
      freedInAll += object.pages().cardinality();
      object.pages().stream().forEach(this::free);
    }
  }

  /** Frees the pages of an object unless it was sealed again after the given sealing. */
  synchronized void freeUnlessSealedAgain(SealedObject object) {
    Sealed now = sealed.get(object.name().id());
    if (now != null && now.sealing() == object.sealing()) {
      free(object.name().id());
    }
  }

  /** All objects that have pages. */
  synchronized List<SealedObject> sealedObjects() {
    List<SealedObject> objects = new ArrayList<>(sealed.size());
    sealed.forEach(
        (id, object) ->
            objects.add(new SealedObject(new Named(id, object.path()), object.sealing())));
    return objects;
  }

  /** Whether a page still has this generation: it has not been freed since. */
  synchronized boolean hasGeneration(int page, long generation) {
    return generation(page) == generation;
  }

  /** Nobody gets a page from now on. */
  synchronized void drain() {
    draining = true;
  }

  /** Whether nobody gets a page any longer. */
  synchronized boolean isDraining() {
    return draining;
  }

  /** Whether nobody has a page. */
  synchronized boolean isUnused() {
    return tiers.stream().allMatch(tier -> tier.freeCount == tier.free.length);
  }

  /** Pages that somebody may have. */
  synchronized FreePages freePages() {
    return draining ? FreePages.NONE : FreePages.of(tiers(), pageBytes);
  }

  /** How full the tiers are. */
  synchronized List<ServerStatus.Tier> tiers() {
    return tiers.stream()
        .map(
            tier ->
                new ServerStatus.Tier(
                    tier.kind,
                    (long) tier.free.length * pageBytes,
                    (long) (tier.free.length - tier.freeCount) * pageBytes,
                    (long) tier.served * pageBytes))
        .toList();
  }

  /** Bytes of pages that are being written. */
  synchronized long openBytes() {
    return bytes(open);
  }

  /** Bytes of pages that nobody gets, as their writers may still write. */
  synchronized long withheldBytes() {
    return bytes(withheld);
  }

  private long bytes(Map<Object, BitSet> held) {
    return held.values().stream().mapToLong(BitSet::cardinality).sum() * pageBytes;
  }

  /** Bytes of pages of objects. */
  synchronized long sealedBytes() {
    return (long) sealedPages * pageBytes;
  }

  /** What has become of pages since there is this table. */
  synchronized ServerStatus.Pages counters() {
    return new ServerStatus.Pages(sealedInAll * pageBytes, freedInAll * pageBytes, refusedInAll);
  }

  private void free(int page) {
    // Before anybody else can write the page, so that its readers see one or the other.
    GENERATION.setVolatile(generations, page * Long.BYTES, generation(page) + 1);
    for (Tier tier : tiers) {
      if (tier.has(page)) {
        tier.free[tier.freeCount++] = page;
      }
    }
  }

  private long generation(int page) {
    return (long) GENERATION.getVolatile(generations, page * Long.BYTES);
  }

  private void forgetIfEmpty(Object writer, BitSet own) {
    if (own.isEmpty()) {
      open.remove(writer);
    }
  }
}
