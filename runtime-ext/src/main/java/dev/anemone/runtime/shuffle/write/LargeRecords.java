// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.write;

import dev.anemone.runtime.shuffle.format.ChunkFormat;
import dev.anemone.runtime.shuffle.format.ChunkWriter;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.shuffle.format.RecordFormat;
import dev.anemone.runtime.shuffle.merge.WriteStatistics;
import dev.anemone.runtime.shuffle.sort.SortBuffer;
import dev.anemone.runtime.shuffle.sort.SortedRecords;
import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import dev.anemone.runtime.store.BlockStore;
import dev.anemone.runtime.store.BlockWriter;
import dev.anemone.runtime.store.WriteOrder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The records of a writer that are larger than a page, until its buffer is emptied: all in one
 * file, one behind the other, and the buffer has their keys and where they lie. They are written
 * and read in parts, so that none of them is ever in memory as a whole. Has a direct buffer of a
 * chunk's size outside the task's memory. WiscKey keeps large values apart from what is sorted in
 * the same way (Lu et al., 2016). Used by one thread.
 */
final class LargeRecords implements Closeable {

  private static final int PART_BYTES = ChunkFormat.CHUNK_BYTES;

  private final BlockStore store;
  private final BlockId owner;
  private final WriteStatistics statistics;
  private final CRC32C crc = new CRC32C();
  private ByteBuffer part;
  private int made;
  private BlockId id;
  private BlockWriter writer;
  private BlockReader reader;
  private long end;

  /**
   * No records.
   *
   * @param store keeps the file, a block {@code <owner>/large<n>}
   * @param statistics counts it as a spill
   */
  LargeRecords(BlockStore store, BlockId owner, WriteStatistics statistics) {
    this.store = store;
    this.owner = owner;
    this.statistics = statistics;
  }

  /** Whether a key is short enough to be sorted without its value. */
  static boolean canHold(int keyLength) {
    return keyLength <= ChunkWriter.LARGEST_DIVIDED_KEY;
  }

  /** Writes a record, and adds a reference to it to a buffer, which has room for it. */
  void add(
      SortBuffer buffer, int partition, byte[] key, int keyLength, byte[] value, int valueLength)
      throws IOException {
    if (writer == null) {
      begin();
    }
    long start = end;
    crc.reset();
    part.clear();
    part.position(RecordFormat.writeLengths(part, 0, keyLength, valueLength));
    part.put(key, 0, keyLength);
    for (int written = 0; written < valueLength; ) {
      if (!part.hasRemaining()) {
        flush();
      }
      int length = Math.min(part.remaining(), valueLength - written);
      part.put(value, written, length);
      written += length;
    }
    flush();
    buffer.addReference(partition, key, keyLength, valueLength, start, (int) crc.getValue());
  }

  private void begin() throws IOException {
    if (part == null) {
      part = ByteBuffer.allocateDirect(PART_BYTES);
    }
    id = new BlockId(owner.path() + "/large" + made++);
    writer = store.create(id, 1, WriteOrder.BY_PARTITION);
    end = 0;
  }

  private void flush() throws IOException {
    int length = part.flip().limit();
    crc.update(part.duplicate());
    writer.append(0, part, length);
    part.clear();
    end += length;
  }

  /** The records of a sorted buffer, with the large ones in place of the references to them. */
  PartitionedRun in(SortedRecords sorted) throws IOException {
    if (writer == null) {
      return sorted;
    }
    writer.commit();
    statistics.countSpill(end);
    reader = store.open(id, statistics.spillReads());
    return new ResolvedRecords(sorted, this);
  }

  /** Begins to read a record at its place, and gives the buffer with its first part. */
  ByteBuffer first(long place, long size) throws IOException {
    crc.reset();
    return next(place, size);
  }

  /** Reads as much of a record as there is room for. */
  ByteBuffer next(long place, long left) throws IOException {
    part.clear().limit((int) Math.min(PART_BYTES, left));
    reader.read(0, place, part);
    crc.update(part.flip().duplicate());
    return part;
  }

  /** Checks what was read since {@link #first}. */
  void check(int checksum) throws IOException {
    if ((int) crc.getValue() != checksum) {
      throw new IOException("a large record in " + id + " is not what was written there");
    }
  }

  /** Forgets all records; the buffer has no references to them any more. */
  void clear() throws IOException {
    if (writer != null) {
      try (BlockWriter closedLast = writer) {
        writer = null;
        if (reader != null) {
          reader.close();
          reader = null;
        }
        store.delete(id);
      }
    }
  }

  @Override
  public void close() throws IOException {
    clear();
    part = null;
  }
}
