// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.transport;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.runtime.push.PushListener;
import dev.anemone.runtime.push.PushReceiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Listens by a transport. */
final class TransportListener implements Acceptor, PushListener {

  private final TransportWire wire;
  private final PushReceiver receiver;
  private final Set<TransportReception> receptions = new HashSet<>();
  private Listener listener;
  private boolean closed;

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
  public synchronized MessageHandler accept(Connection connection) {
    if (closed) {
      throw new IllegalStateException("the push receiver is closed");
    }
    TransportReception reception = new TransportReception(wire, receiver, connection, this);
    receptions.add(reception);
    return reception;
  }

  /** A connection has ended, and nothing is read by it any longer. */
  synchronized void ended(TransportReception reception) {
    receptions.remove(reception);
    notifyAll();
  }

  @Override
  public boolean close(Duration timeout) {
    List<TransportReception> open;
    synchronized (this) {
      closed = true;
      open = List.copyOf(receptions);
    }
    listener.close();
    open.forEach(TransportReception::close);
    return awaitEnds(System.nanoTime() + timeout.toNanos());
  }

  private synchronized boolean awaitEnds(long deadline) {
    boolean interrupted = false;
    try {
      while (!receptions.isEmpty()) {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
          return false;
        }
        try {
          wait(millis);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
