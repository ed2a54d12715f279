// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.ForwardingTransport;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A transport whose connections to others a test can end. */
final class BreakableTransport extends ForwardingTransport {

  private final List<Connection> connections = new CopyOnWriteArrayList<>();

  private BreakableTransport(Transport transport) {
    super(transport);
  }

  static BreakableTransport open() throws IOException {
    return new BreakableTransport(TestPool.openTransport());
  }

  List<Connection> connections() {
    return connections;
  }

  @Override
  public Connection connect(InetSocketAddress address, MessageHandler handler, Duration deadline)
      throws IOException {
    Connection connection = super.connect(address, handler, deadline);
    connections.add(connection);
    return connection;
  }
}
