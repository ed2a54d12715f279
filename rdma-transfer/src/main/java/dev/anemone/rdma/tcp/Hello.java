// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What each side says first: a magic number (8 bytes), the version of the protocol (4), the
 * deadline of operations in ms (4), and the transport's name (16, padded with zeros).
 *
 * @param deadlineMillis of operations on the connection; the listening side takes the other's
 */
record Hello(int deadlineMillis) {

  /** Bytes of a hello. */
  static final int BYTES = 32;

  private static final byte[] MAGIC = "\u00fdAnemone".getBytes(StandardCharsets.ISO_8859_1);
  private static final int VERSION = 1;
  private static final int NAME_BYTES = 16;
  private static final byte[] NAME =
      Arrays.copyOf(TcpTransport.NAME.getBytes(StandardCharsets.US_ASCII), NAME_BYTES);

  /** The bytes, ready to be sent. */
  ByteBuffer encode() {
    return ByteBuffer.allocate(BYTES)
        .put(MAGIC)
        .putInt(VERSION)
        .putInt(deadlineMillis)
        .put(NAME)
        .flip();
  }

  /**
   * Understands the other side.
   *
   * @throws IOException with a clause that says what it is instead
   */
  static Hello decode(ByteBuffer bytes) throws IOException {
    byte[] magic = new byte[MAGIC.length];
    bytes.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IOException("does not speak Anemone's protocol");
    }
    int version = bytes.getInt();
    if (version != VERSION) {
      throw new IOException(
          "speaks version " + version + " of the protocol, this side version " + VERSION);
    }
    int deadlineMillis = bytes.getInt();
    byte[] name = new byte[NAME_BYTES];
    bytes.get(name);
    if (!Arrays.equals(name, NAME)) {
      throw new IOException(
          "is the transport '"
              + new String(name, StandardCharsets.US_ASCII).trim()
              + "', this side is '"
              + TcpTransport.NAME
              + "'");
    }
    if (deadlineMillis <= 0) {
      throw new IOException("wants a deadline of " + deadlineMillis + " ms");
    }
    return new Hello(deadlineMillis);
  }
}
