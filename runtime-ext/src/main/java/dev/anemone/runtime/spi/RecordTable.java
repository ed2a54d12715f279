// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.spi;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * Records on local disk, sorted by key, which are compared as unsigned bytes. Records have ranks,
 * from 0, in that order; those of equal keys follow each other in an order that stays the same.
 * Immutable and thread-safe. What a table may hold is bounded by the disk: of a large one, memory
 * has an index of about a thousandth, and what was read last.
 *
 * <p>A table goes with its job, or when it is closed before.
 */
public interface RecordTable extends Closeable {

  /** Number of records. */
  long size();

  /**
   * The rank of the first record whose key is not smaller than a key; {@link #size} where there is
   * none. Reads about one chunk of 64 KB, unless it was read not long ago.
   *
   * @throws IOException also when the bytes are not those that were written
   */
  long rank(byte[] key) throws IOException;

  /**
   * A pass over the records of the ranks in a range.
   *
   * @throws IndexOutOfBoundsException when it is not a range from 0 to {@link #size}
   */
  RecordCursor records(long fromRank, long toRank);

  /** A pass over all records. */
  default RecordCursor records() {
    return records(0, size());
  }

  /** A pass over the values of a key. */
  default ValueCursor valuesOf(byte[] key) throws IOException {
    return records(rank(key), rank(successor(key)));
  }

  /** The smallest key that is larger than a key. */
  static byte[] successor(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** Deletes it; cursors over it fail, at the latest when they come to another chunk. */
  @Override
  void close() throws IOException;

  /**
   * Makes a table of records in any order: sorts them within a share of the task's off-heap memory,
   * and spills beyond it. A task has one builder at work at a time. Used by one thread.
   */
  interface Builder extends RecordSink, Closeable {

    /**
     * Adds the current record and begins a new one with empty key and value.
     *
     * @throws IOException when it cannot be kept; names the directory where a disk is full
     * @throws java.io.InterruptedIOException when the thread was interrupted, and still is
     */
    @Override
    void emit() throws IOException;

    /**
     * The table of all records that were emitted; ends the builder.
     *
     * @throws IOException as {@link #emit}
     */
    RecordTable build() throws IOException;

    /** Deletes what was written unless the table was built. */
    @Override
    void close() throws IOException;
  }
}
