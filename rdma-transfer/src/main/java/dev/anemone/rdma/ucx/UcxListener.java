// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import dev.anemone.rdma.transport.Listener;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/** A listener of UCX's. */
final class UcxListener implements Listener {

  private final LoopTransport transport;
  private final SharedListener listener;
  private final InetSocketAddress address;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** On the loop's thread. */
  UcxListener(LoopTransport transport, SharedListener listener) {
    this.transport = transport;
    this.listener = listener;
    this.address = listener.address();
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  /**
   * Waits until nobody is accepted any longer, unless it is called by a completion or a handler.
   * The port stays taken until the process ends, and may be given to another listener of it; until
   * then, who connects is told that nobody listens.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      transport.closeListener(listener);
    }
  }
}
