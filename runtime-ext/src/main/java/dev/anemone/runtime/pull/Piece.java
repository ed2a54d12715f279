// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.pull;

import java.nio.ByteBuffer;

/**
 * Where bytes of a partition lie in a server's memory, until they are released.
 *
 * @param storedLength bytes of the partition, stored
 * @param rawLength bytes of the partition, raw
 * @param offset in the memory, bytes
 * @param bytes of the piece
 * @param checksum CRC32C of these
 */
record Piece(
    int partition, long storedLength, long rawLength, long offset, int bytes, int checksum) {

  /** Bytes of the message. */
  static final int MESSAGE_BYTES = 1 + 3 * Integer.BYTES + 3 * Long.BYTES;

  /** Makes the message in a buffer of {@link #MESSAGE_BYTES}. */
  ByteBuffer writeTo(ByteBuffer message) {
    return message
        .clear()
        .put(PullProtocol.PIECE)
        .putInt(partition)
        .putLong(storedLength)
        .putLong(rawLength)
        .putLong(offset)
        .putInt(bytes)
        .putInt(checksum)
        .flip();
  }

  /** Reads a message, behind its first byte. */
  static Piece of(ByteBuffer message) {
    return new Piece(
        message.getInt(),
        message.getLong(),
        message.getLong(),
        message.getLong(),
        message.getInt(),
        message.getInt());
  }
}
