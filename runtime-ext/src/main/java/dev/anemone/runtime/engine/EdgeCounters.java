// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.engine;

import java.util.List;

/**
 * What went over a link, counted by its tasks.
 *
 * @param written what producers wrote
 * @param spilled what did not fit into memory on either side
 * @param disk what consumers read from local files
 * @param pooled what went to a pool of remote memory and came from it, or should have gone there
 * @param cached how consumers used what their processes keep of a pool of remote memory
 * @param pushed what producers pushed, or should have
 * @param memoryPeakBytes the most off-heap memory that a task used for the link on one side
 */
public record EdgeCounters(
    Written written,
    Spilled spilled,
    Disk disk,
    Pooled pooled,
    Cached cached,
    Pushed pushed,
    Fetched fetched,
    long memoryPeakBytes) {

  /** All zero. */
  public static final EdgeCounters NONE =
      new EdgeCounters(
          Written.NONE,
          Spilled.NONE,
          Disk.NONE,
          Pooled.NONE,
          Cached.NONE,
          Pushed.NONE,
          Fetched.NONE,
          0);

  /**
   * What producers wrote.
   *
   * @param records records
   * @param rawBytes bytes of their keys and values
   * @param storedBytes bytes that were stored or pushed for the consumers, after combining and
   *     compression
   */
  public record Written(long records, long rawBytes, long storedBytes) {

    /** All zero. */
    public static final Written NONE = new Written(0, 0, 0);

    Written plus(Written other) {
      return new Written(
          records + other.records, rawBytes + other.rawBytes, storedBytes + other.storedBytes);
    }
  }

  /**
   * What did not fit into memory.
   *
   * @param spills how often memory ran out on either side
   * @param spilledBytes bytes that were written because of it
   */
  public record Spilled(long spills, long spilledBytes) {

    /** All zero. */
    public static final Spilled NONE = new Spilled(0, 0);

    Spilled plus(Spilled other) {
      return new Spilled(spills + other.spills, spilledBytes + other.spilledBytes);
    }
  }

  /**
   * What consumers read from local files.
   *
   * @param diskReads reads
   * @param diskSeeks those of them that did not go on where the one before had ended
   * @param diskReadBytes bytes that they read
   */
  public record Disk(long diskReads, long diskSeeks, long diskReadBytes) {

    /** All zero. */
    public static final Disk NONE = new Disk(0, 0, 0);

    Disk plus(Disk other) {
      return new Disk(
          diskReads + other.diskReads,
          diskSeeks + other.diskSeeks,
          diskReadBytes + other.diskReadBytes);
    }
  }

  /**
   * What went to a pool of remote memory and came from it. What is spilled there is not in it.
   *
   * @param poolWrittenBytes bytes of the blocks that producers committed in the pool
   * @param overflowedBytes bytes of those that were to be there, and went to local files, as the
   *     pool had no room or was not there
   * @param poolReadBytes bytes that servers of the pool gave to consumers, with the indexes of
   *     blocks that other processes wrote; where copies of pages are kept, whole pages. What copies
   *     gave is not in it
   */
  public record Pooled(long poolWrittenBytes, long overflowedBytes, long poolReadBytes) {

    /** All zero. */
    public static final Pooled NONE = new Pooled(0, 0, 0);

    Pooled plus(Pooled other) {
      return new Pooled(
          poolWrittenBytes + other.poolWrittenBytes,
          overflowedBytes + other.overflowedBytes,
          poolReadBytes + other.poolReadBytes);
    }
  }

  /**
   * How consumers used what their processes keep of a pool of remote memory.
   *
   * @param cacheHits reads of a part of a page that a copy answered
   * @param cacheMisses those for which there was no copy; 0 where none are kept
   * @param cacheHitBytes bytes that copies gave
   * @param nameHits blocks that were found without asking a server
   * @param nameMisses blocks for which a server was asked
   */
  public record Cached(
      long cacheHits, long cacheMisses, long cacheHitBytes, long nameHits, long nameMisses) {

    /** All zero. */
    public static final Cached NONE = new Cached(0, 0, 0, 0, 0);

    Cached plus(Cached other) {
      return new Cached(
          cacheHits + other.cacheHits,
          cacheMisses + other.cacheMisses,
          cacheHitBytes + other.cacheHitBytes,
          nameHits + other.nameHits,
          nameMisses + other.nameMisses);
    }
  }

  /**
   * What producers pushed.
   *
   * @param pushedBytes bytes that they pushed
   * @param transportBytes those of them that went over a transport of one-sided reads, and not by
   *     Netty
   * @param fallenBackBytes bytes that they should have pushed and left in local files
   */
  public record Pushed(long pushedBytes, long transportBytes, long fallenBackBytes) {

    /** All zero. */
    public static final Pushed NONE = new Pushed(0, 0, 0);

    Pushed plus(Pushed other) {
      return new Pushed(
          pushedBytes + other.pushedBytes,
          transportBytes + other.transportBytes,
          fallenBackBytes + other.fallenBackBytes);
    }
  }

  /**
   * What consumers fetched from other nodes of a cluster.
   *
   * @param fetchedBytes stored bytes of what they read of blocks there
   * @param transportFetchedBytes those of them that came over a transport of one-sided reads, and
   *     not over HTTP
   */
  public record Fetched(long fetchedBytes, long transportFetchedBytes) {

    /** All zero. */
    public static final Fetched NONE = new Fetched(0, 0);

    Fetched plus(Fetched other) {
      return new Fetched(
          fetchedBytes + other.fetchedBytes, transportFetchedBytes + other.transportFetchedBytes);
    }
  }

  /** What both counted: sums, and the larger of the peaks. */
  public EdgeCounters plus(EdgeCounters other) {
    return new EdgeCounters(
        written.plus(other.written),
        spilled.plus(other.spilled),
        disk.plus(other.disk),
        pooled.plus(other.pooled),
        cached.plus(other.cached),
        pushed.plus(other.pushed),
        fetched.plus(other.fetched),
        Math.max(memoryPeakBytes, other.memoryPeakBytes));
  }

  /** The numbers in the order of the components and their parts. */
  public List<Long> values() {
    return List.of(
        written.records,
        written.rawBytes,
        written.storedBytes,
        spilled.spills,
        spilled.spilledBytes,
        disk.diskReads,
        disk.diskSeeks,
        disk.diskReadBytes,
        pooled.poolWrittenBytes,
        pooled.overflowedBytes,
        pooled.poolReadBytes,
        cached.cacheHits,
        cached.cacheMisses,
        cached.cacheHitBytes,
        cached.nameHits,
        cached.nameMisses,
        pushed.pushedBytes,
        pushed.transportBytes,
        pushed.fallenBackBytes,
        fetched.fetchedBytes,
        fetched.transportFetchedBytes,
        memoryPeakBytes);
  }

  /** Counters from what {@link #values} gave. */
  public static EdgeCounters of(List<Long> v) {
    return new EdgeCounters(
        new Written(v.get(0), v.get(1), v.get(2)),
        new Spilled(v.get(3), v.get(4)),
        new Disk(v.get(5), v.get(6), v.get(7)),
        new Pooled(v.get(8), v.get(9), v.get(10)),
        new Cached(v.get(11), v.get(12), v.get(13), v.get(14), v.get(15)),
        new Pushed(v.get(16), v.get(17), v.get(18)),
        new Fetched(v.get(19), v.get(20)),
        v.get(21));
  }
}
