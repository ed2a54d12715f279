// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import dev.anemone.runtime.store.BlockReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads chunks that a page has no room for. Its buffers are outside the task's memory, since only
 * the record's maker bounds its size; they are kept for the next one. Used by one thread.
 */
final class LargeChunk {

  private static final int BELIEVED_BYTES = 4 << 20;
  private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

  private final ChunkDecoder decoder;
  private ByteBuffer stored = NOTHING;
  private ByteBuffer raw = NOTHING;
  private int recordsStart;

  LargeChunk(ChunkDecoder decoder) {
    this.decoder = decoder;
  }

  /**
   * Reads a chunk and checks it. Large memory is only made when the length in the header is known
   * to be right; the chunk is read twice for that.
   *
   * @param header has the chunk's header at {@code start}
   */
  void read(BlockReader block, int partition, long offset, ByteBuffer header, int start)
      throws IOException {
    int bytes = ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(header, start);
    if (bytes > BELIEVED_BYTES) {
      checkInPieces(block, partition, offset, bytes, header, start);
    }
    stored = atLeast(stored, bytes);
    block.read(partition, offset, stored.clear().limit(bytes));
    if (stored.hasRemaining()) {
      throw decoder.endedEarly(offset, stored.position());
    }
    decoder.checkSum(stored.clear(), 0, offset);
  }

  private void checkInPieces(
      BlockReader block, int partition, long offset, int bytes, ByteBuffer header, int start)
      throws IOException {
    stored = atLeast(stored, BELIEVED_BYTES);
    CRC32C crc = new CRC32C();
    ChunkFormat.beginChecksum(header, start, crc);
    int checked = ChunkFormat.HEADER_BYTES;
    while (checked < bytes) {
      stored.clear().limit(Math.min(stored.capacity(), bytes - checked));
      block.read(partition, offset + checked, stored);
      if (stored.hasRemaining()) {
        throw decoder.endedEarly(offset, checked + (long) stored.position());
      }
      checked += stored.position();
      crc.update(stored.flip());
    }
    if (!ChunkFormat.isChecksum(header, start, crc)) {
      throw decoder.wrongChecksum(offset);
    }
  }

  /** The chunk as it is stored, from position to limit. */
  ByteBuffer stored() {
    return stored.clear().limit(ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(stored, 0));
  }

  /** The buffer that has the chunk's records, decompressed. */
  ByteBuffer decode(long offset) throws IOException {
    stored.clear();
    if (ChunkFormat.codec(stored, 0) == Codec.NONE) {
      recordsStart = ChunkFormat.HEADER_BYTES;
      return stored;
    }
    raw = atLeast(raw, ChunkFormat.rawLength(stored, 0));
    decoder.decompress(stored, 0, offset, raw, 0);
    recordsStart = 0;
    return raw;
  }

  /** Where the records start in their buffer. */
  int recordsStart() {
    return recordsStart;
  }

  private static ByteBuffer atLeast(ByteBuffer buffer, int bytes) {
    return buffer.capacity() >= bytes ? buffer : ByteBuffer.allocateDirect(bytes);
  }
}
