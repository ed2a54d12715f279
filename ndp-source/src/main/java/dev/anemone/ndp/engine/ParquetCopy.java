// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine;

import dev.anemone.ndp.engine.split.SplitBytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Makes a file with holes of a Parquet file that lies elsewhere: all that a plan reads of it is at
 * its place, all else is not there and takes no room.
 */
final class ParquetCopy {

  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /** The length of the footer, and the magic behind it. */
  private static final int TAIL_BYTES = 8;

  /** Some writers have left the header of a dictionary out of a column chunk's length. */
  private static final int HEADER_BYTES = 100;

  private ParquetCopy() {}

  static byte[] magic() {
    return MAGIC.clone();
  }

  /**
   * The bytes of a file from its footer on.
   *
   * @throws NdpEngineException when it is no file of Parquet
   */
  static byte[] endOf(SplitBytes source) throws IOException {
    long size = source.size();
    long start = footerStart(source, size);
    int length = Math.toIntExact(size - start);
    try (InputStream bytes = source.open(start, length)) {
      byte[] end = bytes.readNBytes(length);
      if (end.length < length) {
        throw RangeCopy.shorter(size);
      }
      return end;
    }
  }

  /** Ends the target by a footer, and what comes after it. */
  static void finish(long start, byte[] end, Path target, SplitBytes source, LongConsumer watch)
      throws IOException {
    try (RangeCopy copy = new RangeCopy(source, target, watch)) {
      watch.accept(end.length);
      copy.write(ByteBuffer.wrap(MAGIC), 0);
      copy.write(ByteBuffer.wrap(end), start);
      copy.endAt(start + end.length);
    }
  }

  /**
   * Copies column chunks, and Bloom filters.
   *
   * @param filtered column chunks of which the Bloom filters are copied
   * @param end where the footer begins
   */
  static void columns(
      SplitBytes source,
      List<ParquetFile.ColumnChunk> chunks,
      List<ParquetFile.ColumnChunk> filtered,
      long end,
      Path target,
      LongConsumer watch)
      throws IOException {
    if (chunks.isEmpty()) {
      return;
    }
    try (RangeCopy copy = new RangeCopy(source, target, watch)) {
      long from = 0;
      long to = 0;
      // Neighbours are one read.
      for (ParquetFile.ColumnChunk chunk : chunks) {
        if (chunk.start() < from || chunk.start() > to) {
          copyWithin(copy, from, to + HEADER_BYTES, end);
          from = chunk.start();
          to = from;
        }
        to = Math.max(to, chunk.start() + chunk.length());
      }
      copyWithin(copy, from, to + HEADER_BYTES, end);
      for (ParquetFile.ColumnChunk chunk : filtered) {
        copyWithin(
            copy,
            chunk.bloomStart(),
            chunk.bloomLength() > 0 ? chunk.bloomStart() + chunk.bloomLength() : end,
            end);
      }
    }
  }

  private static void copyWithin(RangeCopy copy, long from, long to, long end) throws IOException {
    if (from < 0 || to < from || from > end) {
      throw new NdpEngineException(
          "the footer says that bytes " + from + " to " + to + " hold values; it begins at " + end);
    }
    copy.range(from, Math.min(to, end) - from, from);
  }

  private static long footerStart(SplitBytes source, long size) throws IOException {
    if (size >= MAGIC.length + TAIL_BYTES) {
      try (InputStream tail = source.open(size - TAIL_BYTES, TAIL_BYTES)) {
        ByteBuffer bytes =
            ByteBuffer.wrap(tail.readNBytes(TAIL_BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() == TAIL_BYTES) {
          long length = Integer.toUnsignedLong(bytes.getInt());
          boolean plain = bytes.slice().equals(ByteBuffer.wrap(MAGIC));
          if (plain && length <= size - TAIL_BYTES - MAGIC.length) {
            return size - TAIL_BYTES - length;
          }
        }
      }
    }
    throw new NdpEngineException(
        source.name()
            + ", of "
            + size
            + " bytes, is not one of Parquet: its end is no footer; it was cut off, is another"
            + " format, or encrypted");
  }
}
