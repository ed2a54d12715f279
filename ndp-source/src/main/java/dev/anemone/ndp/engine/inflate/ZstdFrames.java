// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.inflate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Finds where the frames of a file of Zstandard end (RFC 8878, section 3.1), by the headers of
 * their blocks and without what these hold. The engine takes a file that is cut off for a shorter
 * one; all other damage it sees itself.
 */
public final class ZstdFrames {

  private static final int MAGIC = 0xfd2fb528;
  private static final int SKIPPABLE_MAGIC = 0x184d2a50;
  private static final int SKIPPABLE_MASK = 0xfffffff0;
  private static final int MAGIC_BYTES = 4;
  private static final int CHECKSUM_BYTES = 4;

  /** Bytes of a dictionary's id, by the two lowest bits of a frame's descriptor. */
  private static final int[] DICTIONARY_BYTES = {0, 1, 2, 4};

  /** Bytes of the length of the text, by the two highest bits; of the first, see there. */
  private static final int[] LENGTH_BYTES = {0, 2, 4, 8};

  private static final int SINGLE_SEGMENT = 1 << 5;
  private static final int HAS_CHECKSUM = 1 << 2;

  private static final int BLOCK_HEADER_BYTES = 3;
  private static final int BLOCK_TYPE_RLE = 1;

  private final FileChannel file;
  private final long size;
  private final ByteBuffer header = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private long position;

  private ZstdFrames(FileChannel file, long size) {
    this.file = file;
    this.size = size;
  }

  /**
   * Looks whether a file ends where a frame does. What does not begin as a frame ends the search:
   * that the engine refuses.
   *
   * @throws DamagedStreamException when it is empty, or ends within a frame
   */
  public static void requireWhole(Path path) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      ZstdFrames frames = new ZstdFrames(file, file.size());
      if (frames.size == 0) {
        throw new DamagedStreamException(
            path.toString(), "it is empty, as no file of zstd is", null);
      }
      if (!frames.areWhole()) {
        throw new DamagedStreamException(
            path.toString(), "it is cut off after " + frames.size + " bytes", null);
      }
    }
  }

  private boolean areWhole() throws IOException {
    while (position < size) {
      if (!read(MAGIC_BYTES)) {
        return false;
      }
      int magic = header.getInt();
      if ((magic & SKIPPABLE_MASK) == SKIPPABLE_MAGIC) {
        if (!read(Integer.BYTES)) {
          return false;
        }
        position += Integer.toUnsignedLong(header.getInt());
      } else if (magic != MAGIC) {
        return true;
      } else if (!skipFrame()) {
        return false;
      }
    }
    return position == size;
  }

  /** Goes behind a frame whose magic number was read; false when the file ends within it. */
  private boolean skipFrame() throws IOException {
    if (!read(1)) {
      return false;
    }
    int descriptor = header.get();
    boolean single = (descriptor & SINGLE_SEGMENT) != 0;
    int length = LENGTH_BYTES[(descriptor >> 6) & 3];
    // The window's size is left out where the text's length tells it, which then has a byte at
    // least.
    position += DICTIONARY_BYTES[descriptor & 3] + (single ? Math.max(1, length) : 1 + length);
    boolean last;
    do {
      if (!read(BLOCK_HEADER_BYTES)) {
        return false;
      }
      int block = (header.getShort() & 0xffff) | (header.get() & 0xff) << 16;
      last = (block & 1) != 0;
      position += ((block >> 1) & 3) == BLOCK_TYPE_RLE ? 1 : block >> 3;
    } while (!last);
    position += (descriptor & HAS_CHECKSUM) != 0 ? CHECKSUM_BYTES : 0;
    return position <= size;
  }

  /** Reads bytes from the position on, and goes behind them; false when they are not there. */
  private boolean read(int bytes) throws IOException {
    if (position > size - bytes) {
      return false;
    }
    header.clear().limit(bytes);
    while (header.hasRemaining()) {
      if (file.read(header, position + header.position()) < 0) {
        return false;
      }
    }
    header.flip();
    position += bytes;
    return true;
  }
}
