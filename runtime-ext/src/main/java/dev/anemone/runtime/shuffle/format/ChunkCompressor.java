// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.io.Closeable;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/** Compresses payloads of chunks, between direct buffers. Used by one thread. */
sealed interface ChunkCompressor extends Closeable {

  /** The compressor of a codec; of {@link Codec#NONE} one that copies. */
  static ChunkCompressor of(Codec codec) {
    return switch (codec) {
      case NONE -> new Copy();
      case LZ4 -> new Lz4();
      case ZSTD -> new ZStandard();
    };
  }

  /** The most bytes that so many bytes may become. */
  int bound(int length);

  /**
   * Compresses; {@link #bound} bytes must be free in the target.
   *
   * @return number of bytes that came out
   */
  int compress(ByteBuffer source, int start, int length, ByteBuffer target, int targetStart);

  @Override
  default void close() {}

  /** Stores what it gets. */
  final class Copy implements ChunkCompressor {

    @Override
    public int bound(int length) {
      return length;
    }

    @Override
    public int compress(
        ByteBuffer source, int start, int length, ByteBuffer target, int targetStart) {
      target.put(targetStart, source, start, length);
      return length;
    }
  }

  /** LZ4, the fast one. */
  final class Lz4 implements ChunkCompressor {

    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();

    @Override
    public int bound(int length) {
      return compressor.maxCompressedLength(length);
    }

    @Override
    public int compress(
        ByteBuffer source, int start, int length, ByteBuffer target, int targetStart) {
      return compressor.compress(source, start, length, target, targetStart, bound(length));
    }
  }

  /** Zstandard at its fastest regular level. */
  final class ZStandard implements ChunkCompressor {

    private static final int LEVEL = 1;

    private final ZstdCompressCtx context = new ZstdCompressCtx().setLevel(LEVEL);

    @Override
    public int bound(int length) {
      return Math.toIntExact(Zstd.compressBound(length));
    }

    @Override
    public int compress(
        ByteBuffer source, int start, int length, ByteBuffer target, int targetStart) {
      return context.compressDirectByteBuffer(
          target, targetStart, bound(length), source, start, length);
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
