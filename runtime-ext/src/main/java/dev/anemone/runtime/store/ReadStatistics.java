// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

/**
 * Counts the reads of one reader of many blocks: those of files, and those of a pool of remote
 * memory, of which this process may keep copies. A read of a file that does not begin where the one
 * before ended, in the same file, is a seek: on a disk with a moving head it costs milliseconds.
 * Not thread-safe.
 */
public final class ReadStatistics {

  private Object lastFile;
  private long lastEnd;
  private long reads;
  private long seeks;
  private long bytes;
  private long poolBytes;
  private long cacheHits;
  private long cacheMisses;
  private long cacheHitBytes;
  private long nameHits;
  private long nameMisses;
  private long fetchedBytes;
  private long transportFetchedBytes;

  /**
   * Counts a read.
   *
   * @param file tells files apart, by {@code equals}
   * @param offset where the read began, in bytes
   * @param length bytes that were read
   * @return whether it was a seek
   */
  public boolean count(Object file, long offset, long length) {
    boolean seek = !(file.equals(lastFile) && offset == lastEnd);
    lastFile = file;
    lastEnd = offset + length;
    reads++;
    bytes += length;
    if (seek) {
      seeks++;
    }
    return seek;
  }

  /** Counts bytes that a server of the pool gave. */
  public void countPool(int length) {
    poolBytes += length;
  }

  /**
   * Counts a read of a part of a page of the pool.
   *
   * @param cached whether this process had a copy
   */
  public void countPage(boolean cached, int length) {
    if (cached) {
      cacheHits++;
      cacheHitBytes += length;
    } else {
      cacheMisses++;
    }
  }

  /**
   * Counts a block of the pool that was looked for.
   *
   * @param cached whether this process knew where it is
   */
  public void countName(boolean cached) {
    if (cached) {
      nameHits++;
    } else {
      nameMisses++;
    }
  }

  /**
   * Counts bytes that were fetched from another node, whose reads are counted besides.
   *
   * @param byTransport whether they came by one-sided reads
   */
  public void countFetched(long length, boolean byTransport) {
    fetchedBytes += length;
    if (byTransport) {
      transportFetchedBytes += length;
    }
  }

  /** Bytes that were fetched from other nodes. */
  public long fetchedBytes() {
    return fetchedBytes;
  }

  /** Those of them that came by one-sided reads. */
  public long transportFetchedBytes() {
    return transportFetchedBytes;
  }

  /** Bytes that servers of the pool gave. */
  public long poolBytes() {
    return poolBytes;
  }

  /** Reads of the pool that copies in this process answered. */
  public long cacheHits() {
    return cacheHits;
  }

  /** Reads of the pool for which there was no copy, though this process keeps copies. */
  public long cacheMisses() {
    return cacheMisses;
  }

  /** Bytes that copies gave. */
  public long cacheHitBytes() {
    return cacheHitBytes;
  }

  /** Blocks of the pool that were found without asking a server. */
  public long nameHits() {
    return nameHits;
  }

  /** Blocks of the pool for which a server was asked. */
  public long nameMisses() {
    return nameMisses;
  }

  /** Number of reads of files. */
  public long reads() {
    return reads;
  }

  /** Number of those that were seeks. */
  public long seeks() {
    return seeks;
  }

  /** Bytes read of files. */
  public long bytes() {
    return bytes;
  }
}
