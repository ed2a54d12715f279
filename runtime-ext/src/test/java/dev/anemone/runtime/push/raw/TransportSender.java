// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.raw;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.runtime.push.protocol.PushAddress;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Speaks by a transport. */
final class TransportSender implements RawSender, MessageHandler {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final BlockingQueue<ByteBuffer> replies = new LinkedBlockingQueue<>();
  private final Connection connection;
  private byte[] challenge;

  TransportSender(PushAddress address, Transport transport) throws IOException {
    connection =
        transport.connect(
            new InetSocketAddress(address.host(), address.port()), this, Duration.ofSeconds(20));
  }

  @Override
  public void onMessage(Connection from, ByteBuffer message) {
    replies.add(ByteBuffer.allocate(message.remaining()).put(message).flip());
  }

  @Override
  public void onClosed(Connection ended, IOException cause) {
    replies.add(NOTHING);
  }

  @Override
  public void send(ByteBuf message) {
    connection.send(message.nioBuffer(), failure -> {});
    message.release();
  }

  @Override
  public String reply() throws IOException {
    ByteBuffer reply;
    try {
      reply = replies.poll(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
    if (reply == null) {
      throw new IOException("the receiver neither answers nor disconnects");
    }
    if (!reply.hasRemaining()) {
      return END;
    }
    String text = (char) reply.get() + "" + reply.getInt();
    challenge = new byte[reply.remaining()];
    reply.get(challenge);
    return text;
  }

  @Override
  public byte[] challenge() {
    return challenge;
  }

  @Override
  public void close() {
    connection.close();
  }
}
