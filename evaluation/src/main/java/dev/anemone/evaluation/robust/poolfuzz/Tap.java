// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolfuzz;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.ForwardingConnection;
import dev.anemone.rdma.transport.ForwardingTransport;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;

/** A transport whose connections show the messages that go out and come in. */
final class Tap extends ForwardingTransport {

  private final Consumer<byte[]> out;
  private final Consumer<byte[]> in;

  /**
   * In front of a transport.
   *
   * @param transport stays its opener's, who closes it
   */
  Tap(Transport transport, Consumer<byte[]> out, Consumer<byte[]> in) {
    super(transport);
    this.out = out;
    this.in = in;
  }

  @Override
  public Connection connect(InetSocketAddress address, MessageHandler handler, Duration deadline)
      throws IOException {
    MessageHandler tapped =
        new MessageHandler() {
          @Override
          public void onMessage(Connection connection, ByteBuffer message) {
            in.accept(bytes(message));
            handler.onMessage(connection, message);
          }

          @Override
          public void onClosed(Connection connection, IOException cause) {
            handler.onClosed(connection, cause);
          }
        };
    return new TappedConnection(super.connect(address, tapped, deadline), out);
  }

  @Override
  public void close() {
    // Whoever opened the transport closes it.
  }

  private static byte[] bytes(ByteBuffer message) {
    byte[] bytes = new byte[message.remaining()];
    message.duplicate().get(bytes);
    return bytes;
  }

  private static final class TappedConnection extends ForwardingConnection {
    private final Consumer<byte[]> out;

    TappedConnection(Connection connection, Consumer<byte[]> out) {
      super(connection);
      this.out = out;
    }

    @Override
    public void send(ByteBuffer message, Completion completion) {
      out.accept(bytes(message));
      super.send(message, completion);
    }
  }
}
