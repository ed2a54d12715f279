package dev.anemone.runtime.memory;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Direct buffers of one size, made when they are first needed and used again and again, so that a
 * warm JVM neither allocates nor clears memory for a task. The idea is that of NetSpark's
 * registered buffer pool and of Netty's arenas, with one size class. Thread-safe.
 */
public final class PagePool {

  /** Size of a page in bytes. */
  public static final int PAGE_BYTES = 256 << 10;

  private final int maxPages;
  private final Deque<ByteBuffer> free = new ArrayDeque<>();
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
    this.maxPages = Math.toIntExact(Math.min(Integer.MAX_VALUE, maxBytes / PAGE_BYTES));
  }

  /** A page, big-endian, with position 0 and full limit, or null when all are taken. */
  synchronized ByteBuffer tryTake() {
    ByteBuffer page = free.poll();
    if (page == null) {
      if (made == maxPages) {
        return null;
      }
      page = ByteBuffer.allocateDirect(PAGE_BYTES);
      made++;
    }
    peakTaken = Math.max(peakTaken, made - free.size());
    return page.clear();
  }

  /** Takes a page back; its former owner must not touch it again. */
  synchronized void giveBack(ByteBuffer page) {
    free.push(page);
    notifyAll();
  }

  /** A page as {@link #tryTake} gives it; waits for one up to a time, and then returns null. */
  synchronized ByteBuffer take(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    ByteBuffer page = tryTake();
    while (page == null) {
      long millis = (deadline - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        return null;
      }
      wait(millis);
      page = tryTake();
    }
    return page;
  }

  /** Bytes that all pages may take. */
  public long maxBytes() {
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
