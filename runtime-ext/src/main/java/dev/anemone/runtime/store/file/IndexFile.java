// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.store.file;

import dev.anemone.runtime.store.BlockIndex;
import dev.anemone.runtime.store.BlockTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * The form of an index in a file, which is Tez's spill record: for each partition its offset, raw
 * length and stored length in bytes, then the CRC-32 of all that; each a big-endian long.
 */
final class IndexFile {

  private static final int PARTITION_BYTES = 3 * Long.BYTES;
  private static final int CHECKSUM_BYTES = Long.BYTES;

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
      ByteBuffer bytes = ByteBuffer.allocate((int) size);
      in.read(bytes, 0);
      return decode(file, bytes.flip());
    }
  }

  private static BlockTable decode(Path file, ByteBuffer bytes) throws IOException {
    int length = bytes.limit() - CHECKSUM_BYTES;
    long written = bytes.getLong(length);
    long actual = checksum(bytes, length);
    if (written != actual) {
      throw new IOException(
          String.format(
              "index %s is damaged: its checksum is %x, but that of its bytes is %x",
              file, written, actual));
    }
    int partitions = length / PARTITION_BYTES;
    long[] offsets = new long[partitions];
    long[] rawLengths = new long[partitions];
    long[] storedLengths = new long[partitions];
    for (int p = 0; p < partitions; p++) {
      offsets[p] = bytes.getLong();
      rawLengths[p] = bytes.getLong();
      storedLengths[p] = bytes.getLong();
      if (offsets[p] < 0
          || rawLengths[p] < 0
          || storedLengths[p] < 0
          || offsets[p] > Long.MAX_VALUE - storedLengths[p]) {
        throw new IOException(
            String.format(
                "index %s is wrong: partition %d at byte %d has %d bytes, %d when not compressed",
                file, p, offsets[p], storedLengths[p], rawLengths[p]));
      }
    }
    return new BlockTable(offsets, rawLengths, storedLengths);
  }

  private static long checksum(ByteBuffer bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes.slice(0, length));
    return crc.getValue();
  }
}
