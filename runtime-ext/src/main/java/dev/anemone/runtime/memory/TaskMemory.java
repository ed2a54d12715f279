// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The pages of one task, or of one of its links: never more than its budget, and counted. What
 * needs more has to spill. Thread-safe.
 */
public final class TaskMemory implements AutoCloseable {

  private static final Duration TAKE_TIMEOUT = Duration.ofSeconds(60);

  private final PagePool pool;
  private final TaskMemory parent;
  private final long budgetBytes;
  private long usedBytes;
  private long peakBytes;

  /**
   * Memory of a task.
   *
   * @param pool where pages come from
   * @param budgetBytes the most that the task may have at one time, at least one page
   */
  public TaskMemory(PagePool pool, long budgetBytes) {
    this(pool, null, budgetBytes);
  }

  private TaskMemory(PagePool pool, TaskMemory parent, long budgetBytes) {
    if (budgetBytes < PagePool.PAGE_BYTES) {
      throw new IllegalArgumentException(
          "a budget of "
              + budgetBytes
              + " bytes does not hold a page of "
              + PagePool.PAGE_BYTES
              + " bytes");
    }
    this.pool = pool;
    this.parent = parent;
    this.budgetBytes = budgetBytes;
  }

  /** A part of this memory with a budget of its own; counts against both. */
  public TaskMemory part(long partBytes) {
    return new TaskMemory(pool, this, Math.min(partBytes, budgetBytes));
  }

  /**
   * A page, big-endian, with position 0 and full limit; null when the budget is used up or the pool
   * is empty, so that the caller has to spill.
   */
  public ByteBuffer tryTake() {
    if (!reserve()) {
      return null;
    }
    ByteBuffer page = pool.tryTake();
    if (page == null) {
      release();
    } else {
      notePeak();
    }
    return page;
  }

  /**
   * A page that the caller cannot do without; waits while other tasks have all of the pool.
   *
   * @param purpose what it is for, for the message of the exception
   * @throws MemoryExhaustedException when the budget is used up, or no page came back in time
   */
  public ByteBuffer take(String purpose) throws InterruptedException {
    if (!reserve()) {
      throw new MemoryExhaustedException(
          "no memory for " + purpose + ": all " + budgetBytes + " bytes of the budget are in use");
    }
    ByteBuffer page = null;
    try {
      page = pool.take(TAKE_TIMEOUT);
    } finally {
      if (page == null) {
        release();
      }
    }
    if (page == null) {
      throw new MemoryExhaustedException(
          "no memory for "
              + purpose
              + ": other tasks had all "
              + pool.maxBytes()
              + " bytes of the pool for "
              + TAKE_TIMEOUT.toSeconds()
              + " s; give the job more off-heap memory or fewer slots");
    }
    notePeak();
    return page;
  }

  /** Gives a page back; the caller must not touch it again. */
  public void giveBack(ByteBuffer page) {
    pool.giveBack(page);
    release();
  }

  private boolean reserve() {
    if (parent != null && !parent.reserve()) {
      return false;
    }
    synchronized (this) {
      if (usedBytes + PagePool.PAGE_BYTES <= budgetBytes) {
        usedBytes += PagePool.PAGE_BYTES;
        return true;
      }
    }
    if (parent != null) {
      parent.release();
    }
    return false;
  }

  private void notePeak() {
    synchronized (this) {
      peakBytes = Math.max(peakBytes, usedBytes);
    }
    if (parent != null) {
      parent.notePeak();
    }
  }

  private void release() {
    synchronized (this) {
      usedBytes -= PagePool.PAGE_BYTES;
    }
    if (parent != null) {
      parent.release();
    }
  }

  /** The most bytes that may be in use. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Bytes in use now. */
  public synchronized long usedBytes() {
    return usedBytes;
  }

  /** The most bytes that were in use at one time. */
  public synchronized long peakBytes() {
    return peakBytes;
  }

  /**
   * Checks that every page was given back.
   *
   * @throws IllegalStateException when one was not
   */
  @Override
  public void close() {
    long left = usedBytes();
    if (left != 0) {
      throw new IllegalStateException(left + " bytes of pages were not given back");
    }
  }
}
