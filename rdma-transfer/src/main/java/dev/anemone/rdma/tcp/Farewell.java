// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** The last frame of a connection: that it is closed, or what the peer did wrong. */
final class Farewell {

  private Farewell() {}

  /**
   * Says it, and ends this side's sending.
   *
   * @param violation null when the connection was closed
   * @return whether the peer can have been told
   */
  static boolean say(SocketChannel channel, ViolationException violation) {
    byte[] text =
        violation == null ? new byte[0] : violation.getMessage().getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = ByteBuffer.allocateDirect(FrameHeader.BYTES + text.length);
    FrameHeader.put(frame, violation == null ? Opcode.BYE : Opcode.REFUSAL, text.length, 0);
    frame.put(FrameHeader.BYTES, text);
    try {
      channel.write(frame);
      channel.shutdownOutput();
      return true;
    } catch (IOException e) {
      // The peer sees the socket end. This side has ended already, for a reason that is told.
      return false;
    }
  }
}
