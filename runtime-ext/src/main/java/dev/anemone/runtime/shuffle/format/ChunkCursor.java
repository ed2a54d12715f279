// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.shuffle.format;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Goes over the records of chunks, wherever these come from. */
public abstract class ChunkCursor implements RunCursor {

  private static final int HIGH_BITS = 0x8080;

  private ByteBuffer buffer;
  private int position;
  private int end;
  private int recordStart;
  private int keyStart;
  private int keyLength;
  private int valueLength;

  /** Bytes of the record that are in later chunks. */
  private long left;

  /**
   * Goes on with the next chunk: calls {@link #records}.
   *
   * @return whether there is one
   */
  protected abstract boolean nextChunk() throws IOException;

  /** Whether the last record of the current chunk goes on in the next one. */
  protected abstract boolean isContinued();

  /** The exception for the current chunk, whose records do not fit into it. */
  protected abstract CorruptBlockException corrupt(String what);

  /** The records of the chunk that {@link #nextChunk} found, decompressed. */
  protected final void records(ByteBuffer newBuffer, int start, int length) {
    buffer = newBuffer;
    position = start;
    end = start + length;
  }

  @Override
  public final boolean next() throws IOException {
    while (left > 0) {
      nextPart();
    }
    while (position == end) {
      if (!nextChunk()) {
        return false;
      }
    }
    recordStart = position;
    if (end - position < 2) {
      throw overrun();
    }
    int lengths = buffer.getShort(position);
    if ((lengths & HIGH_BITS) == 0) {
      keyLength = lengths >>> Byte.SIZE;
      valueLength = lengths & 0x7f;
      keyStart = position + 2;
    } else {
      readLongLengths();
    }
    long next = (long) keyStart + keyLength + valueLength;
    if (next > end || keyLength < 0 || valueLength < 0) {
      if (keyLength < 0 || valueLength < 0 || end - keyStart < keyLength || !isContinued()) {
        throw overrun();
      }
      left = next - end;
      next = end;
    }
    position = (int) next;
    return true;
  }

  @Override
  public final boolean nextPart() throws IOException {
    if (left == 0) {
      return false;
    }
    if (!nextChunk()) {
      throw corrupt("ends in the middle of a record");
    }
    int length = end - position;
    if (length == 0 || length > left || isContinued() != length < left) {
      throw corrupt("does not have the part of a record that is due");
    }
    recordStart = position;
    position = end;
    left -= length;
    return true;
  }

  private void readLongLengths() throws CorruptBlockException {
    try {
      keyLength = RecordFormat.varint(buffer, position);
      int second = position + RecordFormat.varintSize(keyLength);
      valueLength = RecordFormat.varint(buffer, second);
      keyStart = second + RecordFormat.varintSize(valueLength);
    } catch (IndexOutOfBoundsException e) {
      CorruptBlockException corrupt = overrun();
      corrupt.addSuppressed(e);
      throw corrupt;
    }
  }

  private CorruptBlockException overrun() {
    return corrupt("has a record that does not fit into it");
  }

  @Override
  public final long keyPrefix() {
    return RecordFormat.prefix(buffer, keyStart, keyLength);
  }

  @Override
  public final ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public final int recordStart() {
    return recordStart;
  }

  @Override
  public final int keyStart() {
    return keyStart;
  }

  @Override
  public final int keyLength() {
    return keyLength;
  }

  @Override
  public final int valueStart() {
    return keyStart + keyLength;
  }

  @Override
  public final int valueLength() {
    return valueLength;
  }

  @Override
  public final int recordEnd() {
    return position;
  }
}
