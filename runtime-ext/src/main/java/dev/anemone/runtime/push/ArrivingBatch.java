// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push;

import dev.anemone.runtime.push.protocol.PushProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;

/**
 * A batch on its way into a {@link ProducerLog}, which alone writes where it lies. Its table comes
 * first, then the bytes of its entries. One that is over can be used for another batch.
 */
public final class ArrivingBatch {

  private int number;
  private int entries;
  private long payloadBytes;
  private long start;
  private long position;

  /**
   * Reads the header of a batch, which it is from now on.
   *
   * @throws CorruptedFrameException when it is none, or not later than a former batch
   */
  public void readHeader(ByteBuf bytes, int formerNumber) {
    byte kind = bytes.readByte();
    number = bytes.readInt();
    entries = bytes.readInt();
    if (kind != PushProtocol.BATCH) {
      throw new CorruptedFrameException("a frame of the unknown kind " + kind);
    }
    if (number < 0 || entries < 1 || entries > PushProtocol.MAX_ENTRIES) {
      throw new CorruptedFrameException("batch " + number + " of " + entries + " entries");
    }
    if (number <= formerNumber) {
      throw new CorruptedFrameException("batch " + number + " after batch " + formerNumber);
    }
  }

  /**
   * Sums up the bytes of all entries, from the table, which stays readable.
   *
   * @throws CorruptedFrameException when there is something negative in it, or too much
   */
  public void measure(ByteBuf table) {
    long sum = 0;
    for (int i = 0; i < entries; i++) {
      int at = table.readerIndex() + i * PushProtocol.ENTRY_BYTES;
      int partition = table.getInt(at);
      int length = table.getInt(at + PushProtocol.ENTRY_LENGTH);
      long rawBytes = table.getLong(at + PushProtocol.ENTRY_RAW_BYTES);
      if (partition < 0 || length < 0 || rawBytes < 0) {
        throw new CorruptedFrameException(
            "an entry of partition "
                + partition
                + " with "
                + length
                + " of "
                + rawBytes
                + " bytes");
      }
      sum += length;
    }
    if (entries > 1 && sum > PushProtocol.MAX_BATCH_BYTES) {
      throw new CorruptedFrameException("a batch of " + entries + " entries and " + sum + " bytes");
    }
    payloadBytes = sum;
  }

  public int number() {
    return number;
  }

  int entries() {
    return entries;
  }

  public int tableBytes() {
    return entries * PushProtocol.ENTRY_BYTES;
  }

  /** Bytes of all entries. */
  public long payloadBytes() {
    return payloadBytes;
  }

  /** Bytes that it takes in its log. */
  long bytes() {
    return LoggedBatches.HEADER_BYTES + tableBytes() + payloadBytes;
  }

  void placeAt(long logPosition) {
    start = logPosition;
    position = logPosition + LoggedBatches.HEADER_BYTES;
  }

  /** Offset in bytes from the start of the log's first page. */
  long start() {
    return start;
  }

  public long payloadStart() {
    return start + LoggedBatches.HEADER_BYTES + tableBytes();
  }

  public long end() {
    return start + bytes();
  }

  /** Where the next bytes go that are appended. */
  long position() {
    return position;
  }

  void advance(int bytes) {
    position += bytes;
  }
}
