// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A transport whose connections to others a test can end. */
record BreakableTransport(Transport transport, List<Connection> connections) implements Transport {

  static BreakableTransport open() throws IOException {
    return new BreakableTransport(new TcpTransportProvider().open(), new CopyOnWriteArrayList<>());
  }

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
    Connection connection = transport.connect(address, handler, deadline);
    connections.add(connection);
    return connection;
  }

  @Override
  public void close() {
    transport.close();
  }
}
