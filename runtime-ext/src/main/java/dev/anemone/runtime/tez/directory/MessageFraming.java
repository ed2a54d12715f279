// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.directory;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Messages in a file that grows: the length of each in four bytes, big-endian, and its bytes. */
final class MessageFraming {

  private MessageFraming() {}

  static byte[] frame(byte[] message) {
    return ByteBuffer.allocate(Integer.BYTES + message.length)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /**
   * Messages at the beginning of some bytes.
   *
   * @param bytes that they take
   */
  record Messages(List<byte[]> messages, int bytes) {}

  /** The messages that are whole; the last one may be about to be written, or never be whole. */
  static Messages parse(byte[] bytes) {
    List<byte[]> messages = new ArrayList<>();
    ByteBuffer left = ByteBuffer.wrap(bytes);
    int parsed = 0;
    while (left.remaining() >= Integer.BYTES) {
      int length = left.getInt();
      if (left.remaining() < length) {
        break;
      }
      int begin = left.position();
      messages.add(Arrays.copyOfRange(bytes, begin, begin + length));
      left.position(begin + length);
      parsed = left.position();
    }
    return new Messages(messages, parsed);
  }
}
