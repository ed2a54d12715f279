// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.inflate;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The text of a file of Zstandard (RFC 8878), of all its frames. The library's own stream does not
 * miss the end of a frame that began in the same piece as another one ended. Takes as much memory
 * off the heap as a frame asks for, which is refused beyond 128 MB, as the format's own program
 * does.
 */
final class ZstdText extends InputStream {

  private static final int BUFFER_BYTES = 1 << 17;

  private final InputStream file;
  private final String name;
  private final ZstdDecompressCtx context = new ZstdDecompressCtx();
  private final byte[] piece = new byte[BUFFER_BYTES];
  private final ByteBuffer stored = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
  private final ByteBuffer text = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);

  /** Bytes of the file that were read. */
  private long storedBytes;

  /** Whether a frame has begun whose end was not seen. */
  private boolean inFrame;

  /** Whether more text may come of what was given already. */
  private boolean isFull;

  /**
   * A text.
   *
   * @param file of Zstandard; closed with this
   * @param name of the file for people
   */
  ZstdText(InputStream file, String name) {
    this.file = file;
    this.name = name;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    while (length > 0 && !text.hasRemaining()) {
      if (!stored.hasRemaining() && !isFull && !fill()) {
        if (inFrame) {
          throw damaged("it is cut off after " + storedBytes + " bytes", null);
        }
        return -1;
      }
      decompress();
    }
    int count = Math.min(length, text.remaining());
    text.get(target, offset, count);
    return count;
  }

  private void decompress() throws DamagedStreamException {
    text.clear();
    try {
      inFrame = !context.decompressDirectByteBufferStream(text, stored);
    } catch (ZstdException e) {
      // Its message does not tell which.
      throw damaged(
          "before byte " + storedBytes + " is what no compressor writes, or wants too much memory",
          e);
    }
    isFull = inFrame && !text.hasRemaining();
    text.flip();
  }

  private boolean fill() throws IOException {
    int count = file.read(piece, 0, piece.length);
    if (count <= 0) {
      return false;
    }
    storedBytes += count;
    stored.clear().put(piece, 0, count).flip();
    return true;
  }

  private DamagedStreamException damaged(String reason, Throwable cause) {
    return new DamagedStreamException(name, reason, cause);
  }

  @Override
  public void close() throws IOException {
    context.close();
    file.close();
  }
}
