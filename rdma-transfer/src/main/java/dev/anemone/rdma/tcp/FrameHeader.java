// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import java.nio.ByteBuffer;

/**
 * The layout of a frame's header: opcode (4 bytes), length (4), number of the request (8), offset
 * (8), and the key of the region (24). Big endian. What an opcode does not need is zero.
 */
final class FrameHeader {

  /** Bytes of a header. */
  static final int BYTES = 48;

  private static final int LENGTH = 4;
  private static final int REQUEST = 8;
  private static final int OFFSET = 16;
  private static final int KEY = 24;

  private FrameHeader() {}

  /** Fills a header, and makes it ready to be sent. */
  static void put(ByteBuffer header, Opcode opcode, int length, long request) {
    putRegion(header, 0, 0, 0, 0);
    header.putInt(0, opcode.number()).putInt(LENGTH, length).putLong(REQUEST, request).clear();
  }

  static void putRequest(ByteBuffer header, long request) {
    header.putLong(REQUEST, request);
  }

  /** Fills in of which memory it speaks. */
  static void putRegion(ByteBuffer header, long offset, long slot, long secret1, long secret2) {
    header
        .putLong(OFFSET, offset)
        .putLong(KEY, slot)
        .putLong(KEY + Long.BYTES, secret1)
        .putLong(KEY + 2 * Long.BYTES, secret2);
  }

  static Opcode opcode(ByteBuffer buffer, int at) throws ViolationException {
    return Opcode.of(buffer.getInt(at));
  }

  static int length(ByteBuffer buffer, int at) {
    return buffer.getInt(at + LENGTH);
  }

  static long request(ByteBuffer buffer, int at) {
    return buffer.getLong(at + REQUEST);
  }

  static long offset(ByteBuffer buffer, int at) {
    return buffer.getLong(at + OFFSET);
  }

  /** The region that a header names, where there is such a one. */
  static TcpRegion region(ByteBuffer buffer, int at, RegionTable regions) {
    return regions.find(
        buffer.getLong(at + KEY),
        buffer.getLong(at + KEY + Long.BYTES),
        buffer.getLong(at + KEY + 2 * Long.BYTES));
  }
}
