// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.raw;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;

/** Says to a receiver what a test wants. */
public interface RawSender extends AutoCloseable {

  /** What {@link #reply} returns when the receiver has disconnected. */
  String END = "end";

  /** Connects by Netty's wire. */
  static RawSender connect(PushAddress address) throws IOException {
    return new SocketSender(address);
  }

  /** Connects by a transport's wire. */
  static RawSender connect(PushAddress address, Transport transport) throws IOException {
    return new TransportSender(address, transport);
  }

  /** Sends a message; what follows the end of the connection is lost. */
  void send(ByteBuf message) throws IOException;

  /** The next reply, as its letter and its argument, or {@link #END}; waits for it. */
  String reply() throws IOException;

  /** What followed the last challenge. */
  byte[] challenge();

  /** Introduces itself; returns the proof that it gave. */
  default byte[] introduce(SenderHandshake handshake) throws IOException {
    send(handshake.greeting(UnpooledByteBufAllocator.DEFAULT));
    if (!reply().startsWith("C")) {
      throw new IOException("there was no challenge");
    }
    ByteBuf answer =
        handshake
            .answer(Unpooled.wrappedBuffer(challenge()), UnpooledByteBufAllocator.DEFAULT)
            .orElseThrow();
    byte[] proof = ByteBufUtil.getBytes(answer);
    send(answer);
    return proof;
  }

  @Override
  void close() throws IOException;
}
