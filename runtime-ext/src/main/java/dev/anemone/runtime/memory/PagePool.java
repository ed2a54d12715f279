// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;

/**
 * Direct buffers of one size, made when they are first needed and used again and again, so that a
 * warm JVM neither allocates nor clears memory for a task. They are cut from slabs, few and large,
 * so that a network can register all of them with few registrations. The idea is that of NetSpark's
 * registered buffer pool and of Netty's arenas, with one size class. Thread-safe.
 */
public final class PagePool {

  /** Size of a page in bytes. */
  public static final int PAGE_BYTES = 256 << 10;

  /** A pool has about so many slabs, or more of the largest size. */
  private static final int SLABS = 16;

  private static final int MOST_SLAB_PAGES = (64 << 20) / PAGE_BYTES;

  private final int slabPages;
  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  private final IdentityHashMap<ByteBuffer, PagePlace> places = new IdentityHashMap<>();
  private SlabSource source = SlabSource.DIRECT;
  private int maxPages;
  private int slabs;
  private int made;
  private int peakTaken;

  /**
   * An empty pool.
   *
   * @param maxBytes bytes that its pages may take in all; rounded down to whole pages
   */
  public PagePool(long maxBytes) {
    if (maxBytes < PAGE_BYTES) {
      throw new IllegalArgumentException(
          "a pool of " + maxBytes + " bytes does not hold a page of " + PAGE_BYTES + " bytes");
    }
    this.maxPages = pages(maxBytes);
    this.slabPages = Math.min(MOST_SLAB_PAGES, Math.max(1, maxPages / SLABS));
  }

  private static int pages(long bytes) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, bytes / PAGE_BYTES));
  }

  /** Pages may take more bytes from now on; with fewer than before nothing changes. */
  public synchronized void grow(long newMaxBytes) {
    maxPages = Math.max(maxPages, pages(newMaxBytes));
  }

  /** Slabs that are made from now on are memory of a network's own. */
  public synchronized void takeSlabsFrom(SlabSource other) {
    source = other;
  }

  /** Slabs come from that source no longer; does nothing when they come from another one by now. */
  public synchronized void leave(SlabSource former) {
    if (source == former) {
      source = SlabSource.DIRECT;
    }
  }

  /** A page, big-endian, with position 0 and full limit, or null when all are taken. */
  synchronized ByteBuffer tryTake() {
    ByteBuffer page = free.poll();
    if (page == null) {
      if (made == maxPages) {
        return null;
      }
      makeSlab();
      page = free.remove();
    }
    peakTaken = Math.max(peakTaken, made - free.size());
    return page.clear();
  }

  private void makeSlab() {
    int pages = Math.min(slabPages, maxPages - made);
    ByteBuffer slab = source.allocate(slabs, pages * PAGE_BYTES);
    for (int i = 0; i < pages; i++) {
      ByteBuffer page = slab.slice(i * PAGE_BYTES, PAGE_BYTES);
      places.put(page, new PagePlace(slabs, slab, i * PAGE_BYTES));
      free.add(page);
    }
    slabs++;
    made += pages;
  }

  /** Takes a page back; its former owner must not touch it again. */
  synchronized void giveBack(ByteBuffer page) {
    free.push(page);
  }

  /**
   * Where a page lies.
   *
   * @param page as it was taken; a view of it is not known
   * @throws IllegalArgumentException when it is not of this pool
   */
  public synchronized PagePlace placeOf(ByteBuffer page) {
    PagePlace place = places.get(page);
    if (place == null) {
      throw new IllegalArgumentException("the page " + page + " is not of this pool");
    }
    return place;
  }

  /** Bytes that all pages may take. */
  public synchronized long maxBytes() {
    return (long) maxPages * PAGE_BYTES;
  }

  /** Bytes in pages that somebody has now. */
  public synchronized long takenBytes() {
    return (long) (made - free.size()) * PAGE_BYTES;
  }

  /** The most bytes that were taken at one time. */
  public synchronized long peakBytes() {
    return (long) peakTaken * PAGE_BYTES;
  }
}
