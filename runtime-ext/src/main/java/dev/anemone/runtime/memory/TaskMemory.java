// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import java.nio.ByteBuffer;

/**
 * The pages of one task, or of one of its links: never more than its budget, and counted. What
 * needs more has to spill. Thread-safe.
 */
public final class TaskMemory implements AutoCloseable {

  private final PagePool pool;
  private final TaskMemory parent;
  private final Runnable whenClosed;
  private long budgetBytes;
  private boolean closed;
  private long usedBytes;
  private long peakBytes;

  /**
   * Memory of a task.
   *
   * @param pool where pages come from
   * @param budgetBytes the most that the task may have at one time, at least one page
   */
  public TaskMemory(PagePool pool, long budgetBytes) {
    this(pool, null, budgetBytes, () -> {});
  }

  /** Memory of an attempt, which a ledger gets back. */
  TaskMemory(PagePool pool, long budgetBytes, Runnable whenClosed) {
    this(pool, null, budgetBytes, whenClosed);
  }

  private TaskMemory(PagePool pool, TaskMemory parent, long budgetBytes, Runnable whenClosed) {
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
    this.whenClosed = whenClosed;
  }

  /** A part of this memory with a budget of its own; counts against both. */
  public TaskMemory part(long partBytes) {
    return new TaskMemory(pool, this, Math.min(partBytes, budgetBytes()), () -> {});
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
   * A page that the caller cannot do without.
   *
   * @param purpose what it is for, for the message of the exception
   * @throws MemoryExhaustedException when the budget is used up, or the pool has fewer pages than
   *     its tasks may have
   */
  public ByteBuffer take(String purpose) {
    ByteBuffer page = tryTake();
    if (page == null) {
      throw new MemoryExhaustedException(
          "no memory for "
              + purpose
              + ": "
              + usedBytes()
              + " bytes of a budget of "
              + budgetBytes()
              + " are in use, and "
              + pool.takenBytes()
              + " of all "
              + pool.maxBytes());
    }
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
  public synchronized long budgetBytes() {
    return budgetBytes;
  }

  /** More may be in use from now on; with a smaller budget than before nothing changes. */
  public synchronized void enlarge(long newBudgetBytes) {
    budgetBytes = Math.max(budgetBytes, newBudgetBytes);
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
   * Gives the budget back, and checks that every page was, too. A page that was not is lost to the
   * pool, but nobody waits for the budget.
   *
   * @throws IllegalStateException when one was not
   */
  @Override
  public void close() {
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
    }
    if (first) {
      whenClosed.run();
    }
    long left = usedBytes();
    if (left != 0) {
      throw new IllegalStateException(left + " bytes of pages were not given back");
    }
  }
}
