// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.store.BlockId;
import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Decodes single chunks to the heap, for those who look records up instead of streaming them. The
 * chunks are stored as they are or compressed by {@link Codec#LZ4}. Has a direct buffer outside the
 * task's memory, which is kept unless it had to be large. Used by one thread.
 */
public final class ChunkLoader {

  private static final int KEPT_BYTES = ChunkFormat.HEADER_BYTES + ChunkFormat.CHUNK_BYTES;

  private final ChunkDecoder decoder = new ChunkDecoder();
  private ByteBuffer kept;

  /**
   * Reads a chunk, or all the chunks of a record that is divided, checks and decodes them.
   *
   * @param offset where it starts in the partition
   * @param length its length with the header, or with all headers
   * @throws CorruptBlockException when the bytes are not those that were written
   */
  public ChunkRecords load(BlockReader block, int partition, long offset, int length)
      throws IOException {
    ByteBuffer stored = bufferOf(length).limit(length);
    block.read(partition, offset, stored);
    if (stored.hasRemaining()) {
      decoder.at(block.id(), partition);
      throw decoder.endedEarly(offset, stored.position());
    }
    return decode(block.id(), partition, stored, 0, offset, length);
  }

  private ByteBuffer bufferOf(int length) {
    if (length > KEPT_BYTES) {
      return ByteBuffer.allocateDirect(length);
    }
    if (kept == null) {
      kept = ByteBuffer.allocateDirect(KEPT_BYTES);
    }
    return kept.clear();
  }

  /**
   * Checks and decodes a chunk, or all the chunks of a record that is divided, which a direct
   * buffer has as a whole.
   *
   * @param start where it starts in the buffer
   * @param offset where it starts in the partition; for the messages of exceptions
   * @param length its length with the header, or with all headers
   * @throws CorruptBlockException when the bytes are not those that were written
   */
  public ChunkRecords decode(
      BlockId block, int partition, ByteBuffer stored, int start, long offset, int length)
      throws CorruptBlockException {
    decoder.at(block, partition);
    byte[] records = new byte[check(stored, start, offset, length)];
    int decoded = 0;
    for (int done = 0; done < length; ) {
      int at = start + done;
      int raw = ChunkFormat.rawLength(stored, at);
      if (ChunkFormat.codec(stored, at) == Codec.NONE) {
        stored.get(at + ChunkFormat.HEADER_BYTES, records, decoded, raw);
      } else {
        decoder.decompress(stored, at, offset + done, ByteBuffer.wrap(records), decoded);
      }
      decoded += raw;
      done += ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(stored, at);
    }
    try {
      return ChunkRecords.of(records);
    } catch (IndexOutOfBoundsException e) {
      throw new CorruptBlockException(
          block, partition, offset, "has a record that does not fit into it", e);
    }
  }

  /** Checks chunks, and gives their bytes before compression. */
  private int check(ByteBuffer stored, int start, long offset, int length)
      throws CorruptBlockException {
    long raw = 0;
    boolean continued = true;
    for (int done = 0; done < length; ) {
      int at = start + done;
      if (!continued || length - done < ChunkFormat.HEADER_BYTES) {
        throw decoder.corrupt(offset, "should have " + length + " bytes, but its header says less");
      }
      decoder.checkHeader(stored, at, offset + done, length - (long) done);
      decoder.checkSum(stored, at, offset + done);
      raw += ChunkFormat.rawLength(stored, at);
      continued = ChunkFormat.isContinued(stored, at);
      done += ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(stored, at);
    }
    if (continued || raw > RecordFormat.MAX_RECORD_BYTES) {
      throw decoder.corrupt(offset, "has a record that does not end");
    }
    return (int) raw;
  }
}
