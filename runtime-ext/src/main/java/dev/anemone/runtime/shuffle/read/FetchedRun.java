// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.read;

import dev.anemone.runtime.shuffle.format.ChunkCursor;
import dev.anemone.runtime.shuffle.format.ChunkDecoder;
import dev.anemone.runtime.shuffle.format.ChunkFormat;
import dev.anemone.runtime.shuffle.format.Codec;
import dev.anemone.runtime.shuffle.format.CorruptBlockException;
import dev.anemone.runtime.shuffle.format.PartitionedRun;
import dev.anemone.runtime.store.BlockId;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A run over partitions of a block whose chunks lie in pages as they are stored, with room to
 * decompress the largest of them. Grows while it is fetched.
 */
final class FetchedRun {

  private static final int[] NO_OTHERS = {};

  private final BlockId block;
  private final long offset;
  private final FetchedPage page;
  private final int start;

  /**
   * The partitions but the last one, ascending, and for each the number of the run's chunks up to
   * its end. Most runs have none of them, and share the empty arrays.
   */
  private int[] partitions = NO_OTHERS;

  private int[] chunkEnds = NO_OTHERS;
  private int others;
  private int lastPartition;
  private int chunks;
  private ByteBuffer room;
  private int roomStart;

  /**
   * A run without chunks.
   *
   * @param offset where it starts in its first partition, in bytes; it has the others from their
   *     starts on
   * @param page where its first chunk is going to lie, from {@code start} on
   */
  FetchedRun(BlockId block, int firstPartition, long offset, FetchedPage page, int start) {
    this.block = block;
    this.offset = offset;
    this.page = page;
    this.start = start;
    this.lastPartition = firstPartition;
  }

  /** Goes on with another partition, which is larger. */
  void beginPartition(int partition) {
    if (others == partitions.length) {
      int room = Math.max(2, 2 * others);
      partitions = Arrays.copyOf(partitions, room);
      chunkEnds = Arrays.copyOf(chunkEnds, room);
    }
    partitions[others] = lastPartition;
    chunkEnds[others] = chunks;
    others++;
    lastPartition = partition;
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
  PartitionedRun cursor(ChunkDecoder decoder) {
    return new Cursor(decoder);
  }

  private final class Cursor extends ChunkCursor implements PartitionedRun {

    private final ChunkDecoder decoder;
    private int current = -1;
    private FetchedPage chunkPage = page;
    private int chunkStart = start;
    private int chunkBytes;
    private int chunksRead;

    /** Where the current chunk starts in its partition, and the one behind it. */
    private long chunkOffset;

    private long nextOffset = offset;

    Cursor(ChunkDecoder decoder) {
      this.decoder = decoder;
    }

    @Override
    public boolean nextPartition() {
      if (current == others) {
        return false;
      }
      current++;
      if (current > 0) {
        nextOffset = 0;
      }
      return true;
    }

    @Override
    public int partition() {
      return current == others ? lastPartition : partitions[current];
    }

    @Override
    protected boolean nextChunk() throws CorruptBlockException {
      if (chunksRead == (current == others ? chunks : chunkEnds[current])) {
        return false;
      }
      chunksRead++;
      chunkStart += chunkBytes;
      chunkOffset = nextOffset;
      if (chunkStart == chunkPage.end()) {
        chunkPage = chunkPage.next();
        chunkStart = 0;
      }
      ByteBuffer bytes = chunkPage.bytes();
      chunkBytes = ChunkFormat.HEADER_BYTES + ChunkFormat.storedLength(bytes, chunkStart);
      nextOffset += chunkBytes;
      int length = ChunkFormat.rawLength(bytes, chunkStart);
      if (ChunkFormat.codec(bytes, chunkStart) == Codec.NONE) {
        records(bytes, chunkStart + ChunkFormat.HEADER_BYTES, length);
      } else {
        decoder.at(block, partition());
        decoder.decompress(bytes, chunkStart, chunkOffset, room, roomStart);
        records(room, roomStart, length);
      }
      return true;
    }

    @Override
    protected boolean isContinued() {
      return ChunkFormat.isContinued(chunkPage.bytes(), chunkStart);
    }

    @Override
    protected CorruptBlockException corrupt(String what) {
      decoder.at(block, partition());
      return decoder.corrupt(chunkOffset, what);
    }

    @Override
    public void close() {}
  }
}
