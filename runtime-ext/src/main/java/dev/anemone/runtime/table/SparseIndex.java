// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.record.ByteSink;
import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.shuffle.format.ChunkRecords;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Where each chunk of a table starts, how many records are before it, and a separator: of the keys
 * that are larger than the last one before the chunk and not larger than its first, the shortest
 * start, as in a prefix B-tree (Bayer and Unterauer, 1977), but {@link #MAX_SEPARATOR_BYTES} at
 * most. Immutable.
 *
 * <p>A separator that has to be cut off, or a key that both chunks have, does not separate: the
 * chunk before it may have records that are as large.
 */
final class SparseIndex {

  static final int MAX_SEPARATOR_BYTES = 64;

  private final long[] offsets;
  private final long[] ranks;
  private final byte[] separators;
  private final int[] separatorEnds;
  private final BitSet separating;

  private SparseIndex(Builder builder, long bytes, long records) {
    int chunks = builder.chunks;
    this.offsets = Arrays.copyOf(builder.offsets, chunks + 1);
    this.ranks = Arrays.copyOf(builder.ranks, chunks + 1);
    this.separators = Arrays.copyOf(builder.separators.array(), builder.separators.length());
    this.separatorEnds = Arrays.copyOf(builder.separatorEnds, chunks);
    this.separating = builder.separating;
    offsets[chunks] = bytes;
    ranks[chunks] = records;
  }

  int chunks() {
    return separatorEnds.length;
  }

  /** Number of records. */
  long size() {
    return ranks[chunks()];
  }

  /** Where a chunk starts in bytes, or the last one ends. */
  long offset(int chunk) {
    return offsets[chunk];
  }

  /** The rank of a chunk's first record, or the number of all records. */
  long firstRank(int chunk) {
    return ranks[chunk];
  }

  /** The chunk that has the record of a rank. */
  int chunkOfRank(long rank) {
    int found = Arrays.binarySearch(ranks, rank);
    return found >= 0 ? found : -found - 2;
  }

  /** The last chunk before which all records are known to be smaller than a key. */
  int firstChunkOf(byte[] key) {
    int first = bound(key, 0);
    boolean separated =
        first < chunks() && compareSeparator(first, key) == 0 && separating.get(first);
    return separated ? first : Math.max(0, first - 1);
  }

  /** The first chunk whose records are all known to be larger than a key, or else their number. */
  int firstChunkBehind(byte[] key) {
    return bound(key, 1);
  }

  /** The first chunk whose separator's order to a key is not less than that. */
  private int bound(byte[] key, int order) {
    int from = 0;
    int to = chunks();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (Integer.signum(compareSeparator(middle, key)) < order) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Compares a separator with a key that is cut off where separators are. */
  private int compareSeparator(int chunk, byte[] key) {
    int start = chunk == 0 ? 0 : separatorEnds[chunk - 1];
    return Arrays.compareUnsigned(
        separators, start, separatorEnds[chunk], key, 0, Math.min(key.length, MAX_SEPARATOR_BYTES));
  }

  /** Bytes of the heap that it takes. */
  long heapBytes() {
    return separators.length
        + (long) Integer.BYTES * separatorEnds.length
        + 2L * Long.BYTES * offsets.length;
  }

  /** Makes an index of chunks in their order. Used by one thread. */
  static final class Builder {

    private static final int FIRST_CHUNKS = 16;

    private final ByteSink separators = new ByteSink();
    private final BitSet separating = new BitSet();
    private final ByteSlice first = new ByteSlice();
    private final ByteSlice last = new ByteSlice();
    private long[] offsets = new long[FIRST_CHUNKS];
    private long[] ranks = new long[FIRST_CHUNKS];
    private int[] separatorEnds = new int[FIRST_CHUNKS];
    private int chunks;
    private long records;
    private long bytes;

    /**
     * Adds the next chunk.
     *
     * @param length its length with the header
     */
    void add(ChunkRecords chunk, int length) {
      if (chunks + 1 == offsets.length) {
        offsets = Arrays.copyOf(offsets, 2 * offsets.length);
        ranks = Arrays.copyOf(ranks, 2 * ranks.length);
        separatorEnds = Arrays.copyOf(separatorEnds, 2 * separatorEnds.length);
      }
      chunk.key(0, first);
      int separator = 0;
      if (chunks > 0) {
        int common =
            Arrays.mismatch(
                last.array(),
                last.start(),
                last.start() + last.length(),
                first.array(),
                first.start(),
                first.start() + first.length());
        int needed = common < 0 ? first.length() : common + 1;
        separator = Math.min(needed, MAX_SEPARATOR_BYTES);
        separating.set(chunks, common >= 0 && needed <= MAX_SEPARATOR_BYTES);
      }
      separators.write(first.array(), first.start(), separator);
      separatorEnds[chunks] = separators.length();
      offsets[chunks] = bytes;
      ranks[chunks] = records;
      chunks++;
      bytes += length;
      records += chunk.size();
      chunk.key(chunk.size() - 1, last);
    }

    SparseIndex build() {
      return new SparseIndex(this, bytes, records);
    }
  }
}
