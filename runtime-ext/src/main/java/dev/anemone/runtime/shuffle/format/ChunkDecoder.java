// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.anemone.runtime.store.BlockId;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Checks and decompresses the chunks of one partition after the other. All buffers are direct.
 * Nothing in a header is believed that could lead to an access out of bounds, not even when the
 * checksum is right. Used by one thread.
 */
public final class ChunkDecoder {

  private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

  /**
   * Idle contexts of Zstandard, kept as long as the JVM lives: as many as threads have decompressed
   * at one time. To make one takes several times as long as to decompress a small chunk.
   */
  private static final Queue<ZstdDecompressCtx> ZSTD = new ConcurrentLinkedQueue<>();

  private final CRC32C crc = new CRC32C();
  private BlockId block;
  private int partition;

  /** Says where the chunks are from that come next; for the messages of exceptions. */
  public void at(BlockId newBlock, int newPartition) {
    block = newBlock;
    partition = newPartition;
  }

  /**
   * Checks that a header is one that can be; its checksum is another matter.
   *
   * @param start where the header starts in the buffer
   * @param offset where the chunk starts in its partition
   * @param left bytes of the partition from there on, header included
   */
  public void checkHeader(ByteBuffer buffer, int start, long offset, long left)
      throws CorruptBlockException {
    Codec codec = ChunkFormat.codec(buffer, start);
    int raw = ChunkFormat.rawLength(buffer, start);
    int stored = ChunkFormat.storedLength(buffer, start);
    if (codec == null) {
      throw corrupt(offset, "has an impossible header: no such codec");
    }
    if (raw < 0 || raw > Math.max(ChunkFormat.CHUNK_BYTES, RecordFormat.MAX_RECORD_BYTES)) {
      throw corrupt(offset, "has an impossible header: " + raw + " bytes before compression");
    }
    if (stored < 0 || stored > raw || (codec == Codec.NONE && stored != raw)) {
      throw corrupt(
          offset, "has an impossible header: " + raw + " bytes stored as " + stored + ", " + codec);
    }
    if (ChunkFormat.HEADER_BYTES + (long) stored > left) {
      throw endedEarly(offset, left);
    }
  }

  /** Checks the checksum of a chunk that is in the buffer as a whole. */
  public void checkSum(ByteBuffer buffer, int start, long offset) throws CorruptBlockException {
    if (!ChunkFormat.isIntact(buffer, start, ChunkFormat.storedLength(buffer, start), crc)) {
      throw wrongChecksum(offset);
    }
  }

  /**
   * Decompresses the payload of a chunk that is compressed.
   *
   * @param start where the chunk's header starts in the buffer
   * @param target gets the payload from {@code targetStart} on, and has room for its raw length
   */
  public void decompress(
      ByteBuffer buffer, int start, long offset, ByteBuffer target, int targetStart)
      throws CorruptBlockException {
    Codec codec = ChunkFormat.codec(buffer, start);
    int raw = ChunkFormat.rawLength(buffer, start);
    int stored = ChunkFormat.storedLength(buffer, start);
    int payload = start + ChunkFormat.HEADER_BYTES;
    long made;
    try {
      made =
          switch (codec) {
            case LZ4 -> LZ4.decompress(buffer, payload, stored, target, targetStart, raw);
            case ZSTD -> decompressZstd(buffer, payload, stored, target, targetStart, raw);
            case NONE -> throw new IllegalArgumentException("the chunk is not compressed");
          };
    } catch (LZ4Exception | ZstdException e) {
      throw new CorruptBlockException(
          block, partition, offset, "cannot be decompressed by " + codec, e);
    }
    if (made != raw) {
      throw corrupt(
          offset, "became " + made + " bytes by " + codec + " where its header says " + raw);
    }
  }

  private static int decompressZstd(
      ByteBuffer buffer, int payload, int stored, ByteBuffer target, int targetStart, int raw) {
    ZstdDecompressCtx idle = ZSTD.poll();
    ZstdDecompressCtx context = idle == null ? new ZstdDecompressCtx() : idle;
    try {
      return context.decompressDirectByteBuffer(target, targetStart, raw, buffer, payload, stored);
    } finally {
      ZSTD.add(context);
    }
  }

  /** The exception for a chunk whose checksum is wrong. */
  CorruptBlockException wrongChecksum(long offset) {
    return corrupt(offset, "has a wrong checksum");
  }

  /** The exception for a chunk of which the partition has only so many bytes. */
  public CorruptBlockException endedEarly(long offset, long left) {
    return corrupt(offset, "ended early: there are only " + left + " bytes of it");
  }

  /** The exception for a chunk that is wrong. */
  public CorruptBlockException corrupt(long offset, String what) {
    return new CorruptBlockException(block, partition, offset, what);
  }
}
