package dev.anemone.runtime.shuffle;

import dev.anemone.runtime.store.BlockId;
import java.nio.ByteBuffer;

/**
 * A run whose chunks lie in pages as they are stored, with room to decompress the largest of them.
 * Grows while it is fetched.
 */
final class FetchedRun {

  private final BlockId block;
  private final int partition;
  private final long offset;
  private final FetchedPage page;
  private final int start;
  private int chunks;
  private ByteBuffer room;
  private int roomStart;

  /**
   * A run without chunks.
   *
   * @param offset where it starts in its partition, in bytes
   * @param page where its first chunk is going to lie, from {@code start} on
   */
  FetchedRun(BlockId block, int partition, long offset, FetchedPage page, int start) {
    this.block = block;
    this.partition = partition;
    this.offset = offset;
    this.page = page;
    this.start = start;
  }

  void addChunk() {
    chunks++;
  }

  /** Says where there is room to decompress a chunk. */
  void setRoom(ByteBuffer newRoom, int newStart) {
    room = newRoom;
    roomStart = newStart;
  }

  /** A cursor over it, which owns nothing. */
  RunCursor cursor(ChunkDecoder decoder) {
    return new Cursor(decoder);
  }

  private final class Cursor extends ChunkCursor {

    private final ChunkDecoder decoder;
    private FetchedPage chunkPage = page;
    private int chunkStart = start;
    private long chunkOffset = offset;
    private int chunkBytes;
    private int left = chunks;

    Cursor(ChunkDecoder decoder) {
      this.decoder = decoder;
    }

    @Override
    boolean nextChunk() throws CorruptBlockException {
      if (left == 0) {
        return false;
      }
      left--;
      chunkStart += chunkBytes;
      chunkOffset += chunkBytes;
      if (chunkStart == chunkPage.end()) {
        chunkPage = chunkPage.next();
        chunkStart = 0;
      }
      ByteBuffer bytes = chunkPage.bytes();
      chunkBytes = ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(bytes, chunkStart);
      int length = ChunkFormat.rawLength(bytes, chunkStart);
      if (ChunkFormat.codec(bytes, chunkStart) == Codec.NONE) {
        records(bytes, chunkStart + ChunkFormat.HEADER_BYTES, length);
      } else {
        decoder.at(block, partition);
        decoder.decompress(bytes, chunkStart, chunkOffset, room, roomStart);
        records(room, roomStart, length);
      }
      return true;
    }

    @Override
    CorruptBlockException corrupt(String what) {
      decoder.at(block, partition);
      return decoder.corrupt(chunkOffset, what);
    }

    @Override
    public void close() {}
  }
}
