// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockTable;
import dev.anemone.runtime.store.PartitionLengths;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes partitions in any order into one file in which each is contiguous. A block of few bytes is
 * gathered in memory, and its partitions are written one behind the other. In a larger one each
 * gets an extent of a sparse file that is far larger than it needs, so that nearly always it grows
 * in place; what is never written takes no space. A partition that outgrows its extent is copied to
 * a larger one at the end of the file, and its old bytes are lost space.
 *
 * <p>A partition in an extent takes at least a block of the file system, and the file as many
 * entries as it has partitions: those of a thousand partitions of 100 bytes take 4 MB instead of
 * 100 kB, and 45 ms to delete.
 *
 * <p>One file for each consumer's data from many producers is the idea of Sailfish (Rao et al.,
 * SoCC 2012) and Riffle (Zhang et al., EuroSys 2018); they append to a file for each consumer, or
 * merge afterwards. It needs a file system that has sparse files of {@value #MAX_FILE_BYTES} bytes,
 * as ext4 and XFS are. The partitions do not follow each other in the file: only a reader that asks
 * for one at a time can be served from it.
 */
final class ExtentBlockWriter extends LocalBlockWriter {

  /** Bytes of a file, with its holes: half of what ext4 allows. */
  static final long MAX_FILE_BYTES = 8L << 40;

  /** Bytes of the extents that partitions begin with; the rest is for those that are moved. */
  private static final long FIRST_EXTENTS_BYTES = MAX_FILE_BYTES / 2;

  /** A partition that is moved gets so many times what it needs then, if there is room. */
  private static final int GROWTH = 4;

  private final BlockFile file;
  private final WriteBuffers buffers;

  /** All that has come so far; null when that is too much. */
  private GatheredPieces gathered;

  private final long[] starts;
  private final long[] capacities;
  private long end;

  /**
   * A writer of an empty file.
   *
   * @param buffers for what is gathered
   * @param maxGatheredBytes the most that a block is gathered of
   * @param maxExtentBytes the most that a partition's first extent may have, a power of two
   */
  ExtentBlockWriter(
      LocalFileStore store,
      BlockId id,
      BlockFile file,
      PartitionLengths lengths,
      WriteBuffers buffers,
      long maxGatheredBytes,
      long maxExtentBytes) {
    super(store, id, file, lengths);
    this.file = file;
    this.buffers = buffers;
    this.gathered = new GatheredPieces(buffers, maxGatheredBytes);
    int partitions = lengths.partitions();
    long extent = Math.min(maxExtentBytes, Long.highestOneBit(FIRST_EXTENTS_BYTES / partitions));
    this.starts = new long[partitions];
    this.capacities = new long[partitions];
    for (int p = 0; p < partitions; p++) {
      starts[p] = p * extent;
      capacities[p] = extent;
    }
    this.end = partitions * extent;
  }

  @Override
  void write(int partition, long position, ByteBuffer bytes) throws IOException {
    if (gathered != null) {
      if (gathered.add(partition, bytes)) {
        return;
      }
      spread();
    }
    writeToExtent(partition, position, bytes);
  }

  /** Writes what is gathered to extents. */
  private void spread() throws IOException {
    long[] positions = new long[starts.length];
    gathered.inOrder(
        (partition, piece) -> {
          int length = piece.remaining();
          writeToExtent(partition, positions[partition], piece);
          positions[partition] += length;
        });
    release();
  }

  private void writeToExtent(int partition, long position, ByteBuffer bytes) throws IOException {
    long needed = position + bytes.remaining();
    if (needed > capacities[partition]) {
      grow(partition, position, needed);
    }
    file.write(bytes, starts[partition] + position);
  }

  private void grow(int partition, long length, long needed) throws IOException {
    boolean isLast = starts[partition] + capacities[partition] == end;
    long start = isLast ? starts[partition] : end;
    long room = MAX_FILE_BYTES - start;
    if (needed > room) {
      throw new IOException(
          "partition "
              + partition
              + " of block "
              + id()
              + " needs "
              + needed
              + " contiguous bytes, but "
              + file.path()
              + " has "
              + room
              + " of "
              + MAX_FILE_BYTES
              + " left; use more partitions or smaller blocks");
    }
    if (!isLast) {
      file.copy(starts[partition], start, length);
    }
    starts[partition] = start;
    capacities[partition] = Math.min(GROWTH * needed, room);
    end = start + capacities[partition];
  }

  @Override
  BlockTable finish() throws IOException {
    return gathered == null ? lengths().at(offsets()) : pack();
  }

  private BlockTable pack() throws IOException {
    SequentialOutput output = new SequentialOutput(file, buffers);
    try {
      gathered.byPartition((partition, piece) -> output.append(piece));
      output.flush();
    } finally {
      output.release();
    }
    return lengths().packed();
  }

  private long[] offsets() {
    long[] offsets = starts.clone();
    for (int p = 0; p < offsets.length; p++) {
      if (lengths().stored(p) == 0) {
        offsets[p] = 0;
      }
    }
    return offsets;
  }

  @Override
  void release() {
    if (gathered != null) {
      gathered.release();
      gathered = null;
    }
  }
}
