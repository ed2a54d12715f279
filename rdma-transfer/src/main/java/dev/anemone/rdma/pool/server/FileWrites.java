// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool.server;

/**
 * What a connection has asked to be read from and written to files, and has not ended. When the
 * connection ends, its pages are free only after the last of it. Thread-safe.
 */
final class FileWrites {

  /** What writes that wait for their turn may take of the memory. */
  private static final long MOST_BYTES = 64L << 20;

  /** Reads and writes that may wait for their turn. */
  private static final int MOST = 4_096;

  private long bytes;
  private int count;
  private Runnable whenQuiet;

  /**
   * Something is asked for, which must be {@linkplain #end ended}.
   *
   * @param length bytes that are to be written; 0 for a read
   * @return false when the connection has ended, or too much waits already
   */
  synchronized boolean begin(int length) {
    if (whenQuiet != null || count == MOST || bytes + length > MOST_BYTES) {
      return false;
    }
    bytes += length;
    count++;
    return true;
  }

  /** It has ended. */
  void end(int length) {
    Runnable quiet;
    synchronized (this) {
      bytes -= length;
      count--;
      quiet = count == 0 ? whenQuiet : null;
    }
    if (quiet != null) {
      quiet.run();
    }
  }

  /** No more are begun; runs something when the last has ended. */
  void close(Runnable quiet) {
    boolean now;
    synchronized (this) {
      whenQuiet = quiet;
      now = count == 0;
    }
    if (now) {
      quiet.run();
    }
  }
}
