// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.engine.inflate;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The text of a file of gzip (RFC 1952), of all its members. Java's own stream takes a member for
 * the last one when the file has nothing ready, as over a network, and says nothing of one whose
 * header is cut off.
 */
final class GzipText extends InputStream {

  private static final int BUFFER_BYTES = 1 << 16;
  private static final int DEFLATE = 8;
  private static final int HAS_CHECKSUM = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xe0;

  /** Time, level and system of who wrote the file. */
  private static final int WRITER_BYTES = 6;

  private final InputStream file;
  private final String name;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int next;
  private int end;

  /** Bytes of the file before the buffer. */
  private long before;

  private boolean inMember;

  /**
   * A text.
   *
   * @param file of gzip; closed with this
   * @param name of the file for people
   */
  GzipText(InputStream file, String name) {
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
    if (length == 0) {
      return 0;
    }
    while (inMember || begin()) {
      int count = inflate(target, offset, length);
      if (count > 0) {
        checksum.update(target, offset, count);
        return count;
      }
      if (inflater.finished()) {
        finish();
      } else if (inflater.needsDictionary()) {
        throw damaged("a member wants a dictionary, which gzip has not", null);
      } else if (inflater.needsInput()) {
        give();
      }
    }
    return -1;
  }

  private int inflate(byte[] target, int offset, int length) throws DamagedStreamException {
    try {
      return inflater.inflate(target, offset, length);
    } catch (DataFormatException e) {
      throw damaged("before byte " + (before + end) + " is what no compressor writes", e);
    }
  }

  /** Gives the inflater all of the buffer, which {@link #finish} takes back. */
  private void give() throws IOException {
    if (next == end && !fill()) {
      throw cutOff();
    }
    inflater.setInput(buffer, next, end - next);
    next = end;
  }

  /** Reads the header of a member, if there is one more. */
  private boolean begin() throws IOException {
    if (next == end && !fill()) {
      return false;
    }
    long place = before + next;
    if (oneByte() != 0x1f || oneByte() != 0x8b || oneByte() != DEFLATE) {
      throw damaged("at byte " + place + " begins what is no gzip", null);
    }
    int flags = oneByte();
    if ((flags & RESERVED) != 0) {
      throw damaged("at byte " + place + " begins a member that means what gzip does not", null);
    }
    skipBytes(WRITER_BYTES);
    if ((flags & HAS_EXTRA) != 0) {
      skipBytes((int) littleEndian(2));
    }
    if ((flags & HAS_NAME) != 0) {
      skipText();
    }
    if ((flags & HAS_COMMENT) != 0) {
      skipText();
    }
    if ((flags & HAS_CHECKSUM) != 0) {
      skipBytes(2);
    }
    inflater.reset();
    checksum.reset();
    inMember = true;
    return true;
  }

  /** Compares what the end of a member says of it. */
  private void finish() throws IOException {
    next = end - inflater.getRemaining();
    long expected = littleEndian(4);
    long length = littleEndian(4);
    if (expected != checksum.getValue()) {
      throw damaged("the checksum before byte " + (before + next) + " is another one", null);
    }
    if (length != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw damaged("the length before byte " + (before + next) + " is another one", null);
    }
    inMember = false;
  }

  private void skipText() throws IOException {
    int last = oneByte();
    while (last != 0) {
      last = oneByte();
    }
  }

  private void skipBytes(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      oneByte();
    }
  }

  private long littleEndian(int bytes) throws IOException {
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (long) oneByte() << (Byte.SIZE * i);
    }
    return value;
  }

  private int oneByte() throws IOException {
    if (next == end && !fill()) {
      throw cutOff();
    }
    return buffer[next++] & 0xff;
  }

  private boolean fill() throws IOException {
    before += end;
    next = 0;
    end = Math.max(0, file.read(buffer, 0, buffer.length));
    return end > 0;
  }

  private DamagedStreamException cutOff() {
    return damaged("it is cut off after " + before + " bytes", null);
  }

  private DamagedStreamException damaged(String reason, Throwable cause) {
    return new DamagedStreamException(name, reason, cause);
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    file.close();
  }
}
