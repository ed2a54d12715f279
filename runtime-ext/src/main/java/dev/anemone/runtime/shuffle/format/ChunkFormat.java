// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The bytes of a partition: chunks, one after the other, each with a header, and each of them whole
 * in itself. So the partitions of several blocks can be joined without looking inside, which is
 * what an aggregation task does.
 *
 * <pre>
 * chunk:   header (24 bytes, big-endian), payload
 * header:  byte  flags: bit 0 the chunk starts a run, bits 1 and 2 the {@link Codec}, bit 3 its
 *                record goes on in the next chunk
 *          3 bytes, zero
 *          int   bytes of the payload before compression
 *          int   bytes of the payload as stored
 *          int   index of the producer task
 *          int   attempt of the producer task
 *          int   CRC-32C of the header's first 20 bytes and the stored payload
 * payload: records, one after the other, compressed by the codec
 * record:  varint length of the key, varint length of the value, key, value
 * </pre>
 *
 * <p>A run is what one sort made: chunks from one that starts a run up to the next one that does. A
 * chunk has up to {@link #CHUNK_BYTES} before compression. A record that is larger has a chunk to
 * itself; one that is larger than a page of memory is divided where a block is written, and has as
 * many full chunks as it needs, one behind the other, of which the first has all of the key.
 */
public final class ChunkFormat {

  /** Bytes of a chunk's header. */
  public static final int HEADER_BYTES = 24;

  /** Bytes of a chunk's payload before compression, unless one record alone needs more. */
  public static final int CHUNK_BYTES = 64 << 10;

  private static final int RUN_START = 1;
  private static final int FLAGS_SHIFT = 24;
  private static final int CODEC_SHIFT = 1;
  private static final int CODEC_MASK = 3;
  private static final int CONTINUED = 8;
  private static final int RAW_LENGTH = 4;
  private static final int STORED_LENGTH = 8;
  private static final int PRODUCER = 12;
  private static final int ATTEMPT = 16;
  private static final int CHECKSUM = 20;

  private ChunkFormat() {}

  /**
   * Completes a chunk: writes the header before the stored payload.
   *
   * @param buffer has the stored payload from {@code start + HEADER_BYTES} on
   * @param start where the header goes
   * @param continued whether its record goes on in the next chunk
   * @param crc is reset and used
   */
  public static void writeHeader(
      ByteBuffer buffer,
      int start,
      boolean runStart,
      boolean continued,
      Codec codec,
      int rawLength,
      int storedLength,
      Producer producer,
      CRC32C crc) {
    int flags =
        (runStart ? RUN_START : 0) | (codec.code() << CODEC_SHIFT) | (continued ? CONTINUED : 0);
    buffer.putInt(start, flags << FLAGS_SHIFT);
    buffer.putInt(start + RAW_LENGTH, rawLength);
    buffer.putInt(start + STORED_LENGTH, storedLength);
    buffer.putInt(start + PRODUCER, producer.task());
    buffer.putInt(start + ATTEMPT, producer.attempt());
    buffer.putInt(start + CHECKSUM, checksum(buffer, start, storedLength, crc));
  }

  public static boolean startsRun(ByteBuffer buffer, int start) {
    return (buffer.get(start) & RUN_START) != 0;
  }

  /** Whether the chunk's record goes on in the next one. */
  public static boolean isContinued(ByteBuffer buffer, int start) {
    return (buffer.get(start) & CONTINUED) != 0;
  }

  /** The codec, or null when the header names none that exists. */
  public static Codec codec(ByteBuffer buffer, int start) {
    return Codec.of((buffer.get(start) >>> CODEC_SHIFT) & CODEC_MASK);
  }

  public static int rawLength(ByteBuffer buffer, int start) {
    return buffer.getInt(start + RAW_LENGTH);
  }

  public static int storedLength(ByteBuffer buffer, int start) {
    return buffer.getInt(start + STORED_LENGTH);
  }

  /**
   * Who wrote a chunk.
   *
   * @param likely is returned if it is the one, so that chunks in a row make no objects; may be
   *     null
   */
  public static Producer producer(ByteBuffer buffer, int start, Producer likely) {
    int task = buffer.getInt(start + PRODUCER);
    int attempt = buffer.getInt(start + ATTEMPT);
    boolean same = likely != null && likely.task() == task && likely.attempt() == attempt;
    return same ? likely : new Producer(task, attempt);
  }

  /** Whether the checksum is right; header and stored payload must be in the buffer. */
  static boolean isIntact(ByteBuffer buffer, int start, int storedLength, CRC32C crc) {
    return buffer.getInt(start + CHECKSUM) == checksum(buffer, start, storedLength, crc);
  }

  private static int checksum(ByteBuffer buffer, int start, int storedLength, CRC32C crc) {
    int position = buffer.position();
    int limit = buffer.limit();
    beginChecksum(buffer, start, crc);
    crc.update(buffer.limit(start + HEADER_BYTES + storedLength).position(start + HEADER_BYTES));
    buffer.limit(limit).position(position);
    return (int) crc.getValue();
  }

  /** Begins a chunk's checksum with its header; the stored payload has to follow. */
  static void beginChecksum(ByteBuffer buffer, int start, CRC32C crc) {
    int position = buffer.position();
    int limit = buffer.limit();
    crc.reset();
    crc.update(buffer.limit(start + CHECKSUM).position(start));
    buffer.limit(limit).position(position);
  }

  /** Whether a checksum that was begun by {@link #beginChecksum} came out right. */
  static boolean isChecksum(ByteBuffer buffer, int start, CRC32C crc) {
    return buffer.getInt(start + CHECKSUM) == (int) crc.getValue();
  }
}
