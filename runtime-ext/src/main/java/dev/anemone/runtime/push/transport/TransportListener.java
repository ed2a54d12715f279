// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.runtime.push.OpenConnections;
import dev.anemone.runtime.push.PushListener;
import dev.anemone.runtime.push.PushReceiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Listens by a transport. */
final class TransportListener implements Acceptor, PushListener {

  private final TransportWire wire;
  private final PushReceiver receiver;
  private final OpenConnections<TransportReception> receptions = new OpenConnections<>();
  private Listener listener;

  private TransportListener(TransportWire wire, PushReceiver receiver) {
    this.wire = wire;
    this.receiver = receiver;
  }

  static TransportListener open(TransportWire wire, InetAddress bind, PushReceiver receiver)
      throws IOException {
    TransportListener listener = new TransportListener(wire, receiver);
    listener.listener = wire.transport().listen(new InetSocketAddress(bind, 0), listener);
    return listener;
  }

  @Override
  public int port() {
    return listener.address().getPort();
  }

  @Override
  public MessageHandler accept(Connection connection) {
    TransportReception reception = new TransportReception(wire, receiver, connection, this);
    if (!receptions.add(reception)) {
      reception.close();
      throw new IllegalStateException("the push receiver is closed");
    }
    return reception;
  }

  /** A connection has ended, and nothing is read by it any longer. */
  void ended(TransportReception reception) {
    receptions.ended(reception);
  }

  @Override
  public boolean close(Duration timeout) {
    listener.close();
    return receptions.close(TransportReception::close, timeout);
  }
}
