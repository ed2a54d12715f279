// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds the chunks in the bytes of a partition, which come in pieces of any size: a merge hands
 * over whole chunks, but what is copied may be cut anywhere. A chunk that is cut, or whose record
 * goes on in others, is put together in a direct buffer outside the task's memory, which is kept.
 * Used by one thread.
 */
public final class ChunkSplitter {

  private final Target target;
  private ByteBuffer gathered = ByteBuffer.allocateDirect(ChunkFormat.HEADER_BYTES);

  /** Where the last of the chunks that were gathered starts. */
  private int chunkStart;

  private long offset;

  /** Takes chunks. */
  @FunctionalInterface
  public interface Target {

    /**
     * Takes a chunk, or all the chunks of a record that is divided.
     *
     * @param buffer has it as a whole, during the call
     * @param start where it starts in the buffer
     * @param offset where it starts in the partition
     * @param length its length with the header, or with all headers
     */
    void chunk(ByteBuffer buffer, int start, long offset, int length) throws IOException;
  }

  /** A splitter at the start of a partition. */
  public ChunkSplitter(Target target) {
    this.target = target;
  }

  /** Goes on with what the buffer has from position to limit; neither is moved. */
  public void add(ByteBuffer bytes) throws IOException {
    int position = bytes.position();
    int end = bytes.limit();
    while (position < end) {
      int length = lengthAt(bytes, position, end);
      if (gathered.position() == 0
          && length <= end - position
          && !ChunkFormat.isContinued(bytes, position)) {
        hand(bytes, position, length);
        position += length;
      } else {
        position += gather(bytes, position, end);
      }
    }
  }

  /** Length with the header of the chunk at a position; more than there is where that is cut. */
  private static int lengthAt(ByteBuffer bytes, int position, int end) {
    return end - position < ChunkFormat.HEADER_BYTES
        ? Integer.MAX_VALUE
        : ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(bytes, position);
  }

  private void hand(ByteBuffer buffer, int start, int length) throws IOException {
    target.chunk(buffer, start, offset, length);
    offset += length;
  }

  private int gather(ByteBuffer bytes, int position, int end) throws IOException {
    int needed = neededBytes();
    if (gathered.capacity() < needed) {
      int room = Math.max(needed, gathered.capacity() + (gathered.capacity() >> 1));
      gathered = ByteBuffer.allocateDirect(room).put(gathered.flip());
    }
    int count = Math.min(needed - gathered.position(), end - position);
    gathered.put(gathered.position(), bytes, position, count);
    gathered.position(gathered.position() + count);
    if (gathered.position() > chunkStart + ChunkFormat.HEADER_BYTES
        && gathered.position() == neededBytes()) {
      endChunk();
    }
    return count;
  }

  private void endChunk() throws IOException {
    int length = gathered.position();
    if (ChunkFormat.isContinued(gathered, chunkStart)) {
      chunkStart = length;
    } else {
      hand(gathered.clear(), 0, length);
      gathered.clear();
      chunkStart = 0;
    }
  }

  private int neededBytes() {
    int withHeader = chunkStart + ChunkFormat.HEADER_BYTES;
    return gathered.position() < withHeader
        ? withHeader
        : withHeader + ChunkFormat.storedLength(gathered, chunkStart);
  }
}
