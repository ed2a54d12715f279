// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.remote;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Where the bytes of each partition of a block lie in the object that holds it. Written behind
 * them, so that whoever has the object can read the block. Immutable.
 *
 * <pre>
 * data | partitions: int, extents: int
 *      | raw length: long, extents: int         for each partition
 *      | offset: long, end in partition: long   for each extent
 *      | CRC32C of the index: int, its length: int, version: int
 * </pre>
 */
final class RemoteExtents {

  /** Bytes of the part of the index that says how long it is. */
  static final int TAIL_BYTES = 3 * Integer.BYTES;

  private static final int VERSION = 0x414E4501;
  private static final int HEAD_BYTES = 2 * Integer.BYTES;
  private static final int PARTITION_BYTES = Long.BYTES + Integer.BYTES;
  private static final int EXTENT_BYTES = 2 * Long.BYTES;

  private final int[] starts;
  private final long[] offsets;
  private final long[] ends;

  /**
   * Takes the arrays over.
   *
   * @param starts number of each partition's first extent, and behind it that of all
   * @param offsets of an extent's first byte in the object
   * @param ends offset in its partition of the byte behind an extent
   */
  RemoteExtents(int[] starts, long[] offsets, long[] ends) {
    this.starts = starts;
    this.offsets = offsets;
    this.ends = ends;
  }

  /** Something that can be read at any position: the object. */
  @FunctionalInterface
  interface Data {
    /** Fills the buffer from its position to its limit. */
    void read(long position, ByteBuffer target) throws IOException;
  }

  /** An index as it was read. */
  record Index(BlockTable table, RemoteExtents extents) {}

  /** Reads bytes of a partition, which must have them: as many as are asked for. */
  void read(Data data, int partition, long position, int length, ByteBuffer target)
      throws IOException {
    int limit = target.limit();
    int extent = extentAt(partition, position);
    long at = position;
    long end = position + length;
    try {
      while (at < end) {
        long start = extent == starts[partition] ? 0 : ends[extent - 1];
        int n = (int) (Math.min(end, ends[extent]) - at);
        target.limit(target.position() + n);
        data.read(offsets[extent] + at - start, target);
        at += n;
        extent++;
      }
    } finally {
      target.limit(limit);
    }
  }

  private int extentAt(int partition, long position) {
    int found = Arrays.binarySearch(ends, starts[partition], starts[partition + 1], position + 1);
    return found >= 0 ? found : -found - 1;
  }

  /** The index as bytes, to be written behind the data. */
  ByteBuffer encode(BlockIndex table) {
    int partitions = starts.length - 1;
    ByteBuffer bytes =
        ByteBuffer.allocate(
            HEAD_BYTES + partitions * PARTITION_BYTES + offsets.length * EXTENT_BYTES + TAIL_BYTES);
    bytes.putInt(partitions).putInt(offsets.length);
    for (int p = 0; p < partitions; p++) {
      bytes.putLong(table.rawLength(p)).putInt(starts[p + 1] - starts[p]);
    }
    for (int e = 0; e < offsets.length; e++) {
      bytes.putLong(offsets[e]).putLong(ends[e]);
    }
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.duplicate().flip());
    bytes.putInt((int) checksum.getValue()).putInt(bytes.position() - Integer.BYTES);
    return bytes.putInt(VERSION).flip();
  }

  /**
   * Bytes of the index, from its last ones.
   *
   * @param tail the last {@link #TAIL_BYTES} of the object
   * @throws IOException when this is no index
   */
  static int indexBytes(BlockId id, ByteBuffer tail, long objectBytes) throws IOException {
    int at = tail.limit() - TAIL_BYTES;
    int length = tail.getInt(at + Integer.BYTES);
    if (tail.getInt(at + 2 * Integer.BYTES) != VERSION
        || length < HEAD_BYTES
        || length + TAIL_BYTES > objectBytes) {
      throw damaged(id);
    }
    return length + TAIL_BYTES;
  }

  /**
   * Reads an index.
   *
   * @param bytes all of it
   * @throws IOException when it is damaged
   */
  static Index decode(BlockId id, ByteBuffer bytes) throws IOException {
    int length = bytes.remaining() - TAIL_BYTES;
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.slice(bytes.position(), length));
    if ((int) checksum.getValue() != bytes.getInt(bytes.position() + length)) {
      throw damaged(id);
    }
    int partitions = bytes.getInt();
    int extents = bytes.getInt();
    long[] raw = new long[partitions];
    int[] starts = new int[partitions + 1];
    for (int p = 0; p < partitions; p++) {
      raw[p] = bytes.getLong();
      starts[p + 1] = starts[p] + bytes.getInt();
    }
    long[] offsets = new long[extents];
    long[] ends = new long[extents];
    for (int e = 0; e < extents; e++) {
      offsets[e] = bytes.getLong();
      ends[e] = bytes.getLong();
    }
    long[] packed = new long[partitions];
    long[] stored = new long[partitions];
    long end = 0;
    for (int p = 0; p < partitions; p++) {
      packed[p] = end;
      stored[p] = starts[p + 1] == starts[p] ? 0 : ends[starts[p + 1] - 1];
      end += stored[p];
    }
    return new Index(new BlockTable(packed, raw, stored), new RemoteExtents(starts, offsets, ends));
  }

  private static IOException damaged(BlockId id) {
    return new IOException("the index of block " + id + " in the pool is damaged");
  }
}
