// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.memory;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Divides the pages of a pool among the jobs that run in this JVM, so that none of them fails as
 * another one has what it needs. A job is promised the least that its attempts can do with; where
 * that is not free, it waits until jobs before it have ended. All else is given out as attempts ask
 * for it, and an attempt that gets less spills more. Spark divides the memory of an executor among
 * its tasks likewise, but lets them wait for their part while they run.
 *
 * <p>Attempts never wait, as others may wait for what they make. So an attempt for which nothing
 * was promised, such as that of a task which is run again while its readers run, gets the least
 * that it needs even if all is given out; the pool is that much larger from then on. Thread-safe.
 */
public final class MemoryLedger {

  private final PagePool pool;
  private final Deque<Object> waiting = new ArrayDeque<>();
  private long totalBytes;

  /** What the pool has for others than attempts. */
  private long otherBytes;

  /** What attempts have, and what jobs were promised besides. */
  private long reservedBytes;

  private int jobs;

  /**
   * A ledger of which nothing was given out.
   *
   * @param pool where pages come from
   * @param totalBytes the most that attempts may have of it
   */
  public MemoryLedger(PagePool pool, long totalBytes) {
    this.pool = pool;
    this.totalBytes = totalBytes;
    this.otherBytes = pool.maxBytes() - totalBytes;
  }

  /** A pool that one job has for itself, whose attempts do not run side by side. */
  public static JobMemory ofOneJob(PagePool pool, long totalBytes) {
    return new MemoryLedger(pool, totalBytes).new JobMemory(0);
  }

  /**
   * There is more from now on; with less than before nothing changes.
   *
   * @param poolBytes what the pool has in all
   * @param newTotalBytes the most that attempts may have of it
   */
  public synchronized void grow(long poolBytes, long newTotalBytes) {
    pool.grow(poolBytes);
    otherBytes = Math.max(otherBytes, poolBytes - newTotalBytes);
    totalBytes = Math.max(totalBytes, newTotalBytes);
    notifyAll();
  }

  /**
   * Whether a job would have to wait.
   *
   * @param leastBytes as for {@link #admit}
   */
  public synchronized boolean isShort(long leastBytes) {
    return !waiting.isEmpty() || reservedBytes + promise(leastBytes) > totalBytes;
  }

  /** A job alone may have all that there is, whatever it would need. */
  private long promise(long leastBytes) {
    return Math.min(leastBytes, totalBytes);
  }

  /**
   * Takes a job in. Waits, in the order of the calls, while other jobs have the memory that it
   * needs at least; they end without it.
   *
   * @param leastBytes what all its attempts that run at once need to run at all
   */
  public synchronized JobMemory admit(long leastBytes) throws InterruptedException {
    Object turn = new Object();
    waiting.add(turn);
    try {
      while (waiting.peek() != turn || reservedBytes + promise(leastBytes) > totalBytes) {
        wait();
      }
      return new JobMemory(promise(leastBytes));
    } finally {
      waiting.remove(turn);
      notifyAll();
    }
  }

  /** Bytes that attempts have, and that jobs were promised besides. */
  synchronized long reservedBytes() {
    return reservedBytes;
  }

  /** The memory of a job. Thread-safe. */
  public final class JobMemory implements AutoCloseable {

    /** What was promised and no attempt has now. */
    private long unusedBytes;

    private boolean open = true;

    private JobMemory(long promisedBytes) {
      synchronized (MemoryLedger.this) {
        unusedBytes = promisedBytes;
        reservedBytes += promisedBytes;
        jobs++;
      }
    }

    /** Where the pages come from. */
    public PagePool pool() {
      return pool;
    }

    /**
     * The memory of an attempt, which gives it back when it closes it.
     *
     * @param leastBytes what it needs to run at all
     * @param mostBytes what it can use when no other job runs
     */
    public TaskMemory attempt(long leastBytes, long mostBytes) {
      synchronized (MemoryLedger.this) {
        long promised = Math.min(leastBytes, unusedBytes);
        long wanted = Math.max(leastBytes, mostBytes / Math.max(1, jobs)) - promised;
        long more = Math.max(leastBytes - promised, Math.min(wanted, totalBytes - reservedBytes));
        unusedBytes -= promised;
        reservedBytes += more;
        if (reservedBytes > totalBytes) {
          pool.grow(otherBytes + reservedBytes);
        }
        return new TaskMemory(pool, promised + more, () -> release(promised, more));
      }
    }

    private void release(long promised, long more) {
      synchronized (MemoryLedger.this) {
        reservedBytes -= more;
        if (open) {
          unusedBytes += promised;
        } else {
          reservedBytes -= promised;
        }
        MemoryLedger.this.notifyAll();
      }
    }

    /** The job has ended; attempts that have not noticed keep what they have. */
    @Override
    public void close() {
      synchronized (MemoryLedger.this) {
        if (open) {
          open = false;
          jobs--;
          reservedBytes -= unusedBytes;
          unusedBytes = 0;
          MemoryLedger.this.notifyAll();
        }
      }
    }
  }
}
