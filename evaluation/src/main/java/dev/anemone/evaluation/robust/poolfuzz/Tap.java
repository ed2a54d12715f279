// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.robust.poolfuzz;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Consumer;

/** A transport whose connections show the messages that go out and come in. */
record Tap(Transport transport, Consumer<byte[]> out, Consumer<byte[]> in) implements Transport {

  @Override
  public String name() {
    return transport.name();
  }

  @Override
  public MemoryRegion register(ByteBuffer memory) throws IOException {
    return transport.register(memory);
  }

  @Override
  public MemoryRegion allocate(int bytes) throws IOException {
    return transport.allocate(bytes);
  }

  @Override
  public Listener listen(InetSocketAddress address, Acceptor acceptor) throws IOException {
    return transport.listen(address, acceptor);
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
    return new TappedConnection(transport.connect(address, tapped, deadline), out);
  }

  /** The caller's. */
  @Override
  public void close() {
    // Whoever opened the transport closes it.
  }

  private static byte[] bytes(ByteBuffer message) {
    byte[] bytes = new byte[message.remaining()];
    message.duplicate().get(bytes);
    return bytes;
  }

  private record TappedConnection(Connection connection, Consumer<byte[]> out)
      implements Connection {

    @Override
    public InetSocketAddress remoteAddress() {
      return connection.remoteAddress();
    }

    @Override
    public int maxOutstanding() {
      return connection.maxOutstanding();
    }

    @Override
    public int maxMessageBytes() {
      return connection.maxMessageBytes();
    }

    @Override
    public void read(
        RemoteRegion from,
        long offset,
        MemoryRegion into,
        int position,
        int length,
        Completion completion) {
      connection.read(from, offset, into, position, length, completion);
    }

    @Override
    public void write(
        MemoryRegion from,
        int position,
        int length,
        RemoteRegion to,
        long offset,
        Completion completion) {
      connection.write(from, position, length, to, offset, completion);
    }

    @Override
    public void flush(Completion completion) {
      connection.flush(completion);
    }

    @Override
    public void send(ByteBuffer message, Completion completion) {
      out.accept(bytes(message));
      connection.send(message, completion);
    }

    @Override
    public boolean isOpen() {
      return connection.isOpen();
    }

    @Override
    public void close() {
      connection.close();
    }
  }
}
