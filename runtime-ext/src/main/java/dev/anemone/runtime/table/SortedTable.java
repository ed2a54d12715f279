// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.table;

import dev.anemone.runtime.record.ByteSlice;
import dev.anemone.runtime.shuffle.format.ChunkRecords;
import dev.anemone.runtime.spi.RecordCursor;
import dev.anemone.runtime.spi.RecordTable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** A table over a sorted block. Thread-safe. */
final class SortedTable implements RecordTable {

  private final TableFile file;
  private final SparseIndex index;
  private final ChunkCache cache;

  /**
   * A table.
   *
   * @param file is closed with the table
   * @param cache is shared with other tables
   */
  SortedTable(TableFile file, SparseIndex index, ChunkCache cache) {
    this.file = file;
    this.index = index;
    this.cache = cache;
  }

  @Override
  public long size() {
    return index.size();
  }

  @Override
  public long rank(byte[] key) throws IOException {
    int first = index.firstChunkOf(key);
    int behind = index.firstChunkBehind(key);
    if (first == behind) {
      return index.firstRank(first);
    }
    ChunkRecords records = lookUp(first);
    int position = records.lowerBound(key);
    if (position == records.size() && behind > first + 1) {
      first = lastThatBeginsBelow(key, first, behind);
      position = lookUp(first).lowerBound(key);
    }
    return index.firstRank(first) + position;
  }

  /** Separators do not tell: the last chunk of a range that begins with a smaller key. */
  private int lastThatBeginsBelow(byte[] key, int first, int behind) throws IOException {
    int from = first;
    int to = behind;
    while (to - from > 1) {
      int middle = (from + to) >>> 1;
      if (lookUp(middle).lowerBound(key) > 0) {
        from = middle;
      } else {
        to = middle;
      }
    }
    return from;
  }

  @Override
  public RecordCursor records(long fromRank, long toRank) {
    Objects.checkFromToIndex(fromRank, toRank, index.size());
    return new Cursor(fromRank, toRank);
  }

  private ChunkRecords lookUp(int chunk) throws IOException {
    ChunkRecords records = cache.get(this, chunk);
    if (records == null) {
      records = load(chunk);
      cache.put(this, chunk, records);
    }
    return records;
  }

  /** What is read from end to end would only drive out what is looked up. */
  private ChunkRecords pass(int chunk) throws IOException {
    ChunkRecords records = cache.get(this, chunk);
    return records == null ? load(chunk) : records;
  }

  private ChunkRecords load(int chunk) throws IOException {
    long offset = index.offset(chunk);
    return file.load(offset, Math.toIntExact(index.offset(chunk + 1) - offset));
  }

  @Override
  public void close() throws IOException {
    try {
      file.close();
    } finally {
      cache.forget(this);
    }
  }

  private final class Cursor implements RecordCursor {

    private final long toRank;
    private final ByteSlice key = new ByteSlice();
    private final ByteSlice value = new ByteSlice();
    private long nextRank;
    private int chunk = -1;
    private ChunkRecords records;
    private int position;

    Cursor(long fromRank, long toRank) {
      this.nextRank = fromRank;
      this.toRank = toRank;
    }

    @Override
    public boolean next() throws IOException {
      if (nextRank == toRank) {
        records = null;
        return false;
      }
      if (records == null) {
        chunk = index.chunkOfRank(nextRank);
        records = lookUp(chunk);
        position = (int) (nextRank - index.firstRank(chunk));
      } else if (++position == records.size()) {
        chunk++;
        records = pass(chunk);
        position = 0;
      }
      nextRank++;
      return true;
    }

    @Override
    public InputStream key() {
      return records.key(position, key);
    }

    @Override
    public InputStream value() {
      return records.value(position, value);
    }
  }
}
