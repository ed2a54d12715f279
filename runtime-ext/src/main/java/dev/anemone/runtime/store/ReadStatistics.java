// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store;

/**
 * Counts the reads of one reader of many blocks. A read that does not begin where the one before
 * ended, in the same file, is a seek: on a disk with a moving head it costs milliseconds. Not
 * thread-safe.
 */
public final class ReadStatistics {

  private Object lastFile;
  private long lastEnd;
  private long reads;
  private long seeks;
  private long bytes;

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

  /** Number of reads. */
  public long reads() {
    return reads;
  }

  /** Number of reads that were seeks. */
  public long seeks() {
    return seeks;
  }

  /** Bytes read. */
  public long bytes() {
    return bytes;
  }
}
