// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.ir.partition.HashRange;
import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The form of an index in a file, which is Tez's spill record: for each partition its offset, raw
 * length and stored length in bytes, then the CRC-32 of all that; each a big-endian long.
 */
final class IndexFile {

  private static final int PARTITION_BYTES = 3 * Long.BYTES;
  private static final int CHECKSUM_BYTES = Long.BYTES;

  /** Entries between two wanted ones that are read rather than left out: half a page of memory. */
  private static final int READ_OVER = 85;

  private IndexFile() {}

  /** Writes an index to a file that must not be there yet. */
  static void write(Path file, BlockIndex index) throws IOException {
    int length = Math.multiplyExact(index.partitions(), PARTITION_BYTES);
    ByteBuffer bytes = ByteBuffer.allocate(Math.addExact(length, CHECKSUM_BYTES));
    for (int p = 0; p < index.partitions(); p++) {
      bytes.putLong(index.offset(p)).putLong(index.rawLength(p)).putLong(index.storedLength(p));
    }
    bytes.putLong(checksum(bytes, length)).flip();
    try (BlockFile out = BlockFile.create(file)) {
      out.write(bytes, 0);
    }
  }

  /**
   * Reads an index.
   *
   * @throws NoSuchFileException when the file is not there
   * @throws IOException when it is no index, or a damaged one
   */
  static BlockTable read(Path file) throws IOException {
    try (BlockFile in = BlockFile.open(file)) {
      return read(file, in, partitions(file, in));
    }
  }

  /**
   * Reads what an index says of some partitions. A consumer that asks a thousand producers for one
   * partition each then reads a thousand entries, not a thousand indexes.
   *
   * <p>The checksum is that of the whole index. Where the partitions lie one behind the other, a
   * part of it is checked as well: each entry has to begin where the one before ends, from the one
   * before a range to the one behind it, or to the end of the data. What does not is read whole. A
   * wrong raw length is not found, which no reader relies on.
   *
   * @param wanted ranges of partitions in ascending order, at least one
   * @param dataBytes size of the data file
   * @return an {@link IndexSlice} or, when that cannot be checked, a {@link BlockTable}
   * @throws NoSuchFileException when the file is not there
   * @throws IOException when it is no index, or a damaged one
   */
  static BlockIndex read(Path file, List<HashRange> wanted, long dataBytes) throws IOException {
    try (BlockFile in = BlockFile.open(file)) {
      int partitions = partitions(file, in);
      List<IndexSlice.Range> ranges = new ArrayList<>(wanted.size());
      Iterator<HashRange> spans = spans(wanted, partitions).iterator();
      boolean checked = true;
      while (checked && spans.hasNext()) {
        HashRange span = spans.next();
        Entries entries = new Entries(span.size());
        ByteBuffer bytes = ByteBuffer.allocate(span.size() * PARTITION_BYTES);
        in.read(bytes, (long) span.from() * PARTITION_BYTES);
        checked =
            entries.read(bytes.flip()) < 0
                && entries.areContiguous()
                && (span.from() > 0 || entries.begin() == 0)
                && (span.to() == partitions
                    ? entries.end() == dataBytes
                    : entries.end() <= dataBytes);
        ranges.add(new IndexSlice.Range(span.from(), entries.table()));
      }
      return checked && !ranges.isEmpty()
          ? new IndexSlice(partitions, ranges, dataBytes)
          : read(file, in, partitions);
    }
  }

  /** The ranges with their neighbours; what lies close together is one. */
  private static List<HashRange> spans(List<HashRange> wanted, int partitions) {
    List<HashRange> spans = new ArrayList<>(wanted.size());
    HashRange last = null;
    for (HashRange range : wanted) {
      int from = Math.max(0, range.from() - 1);
      int to = Math.min(partitions, range.to() + 1);
      if (last != null && from - last.to() < READ_OVER) {
        from = last.from();
        spans.remove(spans.size() - 1);
      }
      if (from < to) {
        last = new HashRange(from, to);
        spans.add(last);
      }
    }
    return spans;
  }

  private static int partitions(Path file, BlockFile in) throws IOException {
    long size = in.size();
    if (size < PARTITION_BYTES + CHECKSUM_BYTES
        || size > Integer.MAX_VALUE
        || size % PARTITION_BYTES != CHECKSUM_BYTES) {
      throw new IOException(
          file
              + " is not a whole index: it has "
              + size
              + " bytes, not 24 for each of one or more partitions and 8 for the checksum");
    }
    return (int) (size / PARTITION_BYTES);
  }

  private static BlockTable read(Path file, BlockFile in, int partitions) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(partitions * PARTITION_BYTES + CHECKSUM_BYTES);
    in.read(bytes, 0);
    bytes.flip();
    int length = bytes.limit() - CHECKSUM_BYTES;
    long written = bytes.getLong(length);
    long actual = checksum(bytes, length);
    if (written != actual) {
      throw new IOException(
          String.format(
              "index %s is damaged: its checksum is %x, but that of its bytes is %x",
              file, written, actual));
    }
    Entries entries = new Entries(partitions);
    int wrong = entries.read(bytes);
    if (wrong >= 0) {
      throw new IOException(
          String.format(
              "index %s is wrong: partition %d at byte %d has %d bytes, %d when not compressed",
              file,
              wrong,
              entries.offsets[wrong],
              entries.storedLengths[wrong],
              entries.rawLengths[wrong]));
    }
    return entries.table();
  }

  /** What an index says of some partitions that follow each other. */
  private static final class Entries {

    private final long[] offsets;
    private final long[] rawLengths;
    private final long[] storedLengths;

    Entries(int partitions) {
      offsets = new long[partitions];
      rawLengths = new long[partitions];
      storedLengths = new long[partitions];
    }

    /** Reads them, and gives the first one that cannot be, or -1. */
    int read(ByteBuffer bytes) {
      int wrong = -1;
      for (int p = 0; p < offsets.length; p++) {
        offsets[p] = bytes.getLong();
        rawLengths[p] = bytes.getLong();
        storedLengths[p] = bytes.getLong();
        if (wrong < 0
            && (offsets[p] < 0
                || rawLengths[p] < 0
                || storedLengths[p] < 0
                || offsets[p] > Long.MAX_VALUE - storedLengths[p])) {
          wrong = p;
        }
      }
      return wrong;
    }

    /** Whether each partition begins where the one before ends. */
    boolean areContiguous() {
      for (int p = 1; p < offsets.length; p++) {
        if (offsets[p] != offsets[p - 1] + storedLengths[p - 1]) {
          return false;
        }
      }
      return true;
    }

    /** The first byte of the first partition. */
    long begin() {
      return offsets[0];
    }

    /** The first byte behind the last partition. */
    long end() {
      int last = offsets.length - 1;
      return offsets[last] + storedLengths[last];
    }

    /** All of them; takes the numbers over. */
    BlockTable table() {
      return new BlockTable(offsets, rawLengths, storedLengths);
    }
  }

  private static long checksum(ByteBuffer bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes.slice(0, length));
    return crc.getValue();
  }
}
