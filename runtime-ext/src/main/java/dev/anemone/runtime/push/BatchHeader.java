package dev.anemone.runtime.push;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;

/**
 * What comes before the table of a batch.
 *
 * @param number of the batch
 * @param entries of the batch
 */
record BatchHeader(int number, int entries) {

  /**
   * Reads a header.
   *
   * @throws CorruptedFrameException when it is none
   */
  static BatchHeader of(ByteBuf bytes) {
    byte kind = bytes.readByte();
    int number = bytes.readInt();
    int entries = bytes.readInt();
    if (kind != PushProtocol.BATCH) {
      throw new CorruptedFrameException("a frame of the unknown kind " + kind);
    }
    if (number < 0 || entries < 1 || entries > PushProtocol.MAX_ENTRIES) {
      throw new CorruptedFrameException("batch " + number + " of " + entries + " entries");
    }
    return new BatchHeader(number, entries);
  }

  int tableBytes() {
    return entries * PushProtocol.ENTRY_BYTES;
  }

  /**
   * Bytes of all entries, from the table; the table stays readable.
   *
   * @throws CorruptedFrameException when there is something negative in it, or too much
   */
  long payloadBytes(ByteBuf table) {
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
    return sum;
  }
}
