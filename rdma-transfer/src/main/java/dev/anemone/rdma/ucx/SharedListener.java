// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;

/**
 * A UCX listener, which stays with the worker when its transport does not want it any longer, and
 * rejects who connects then: UCX's own thread tells a listener of those whose connection it has
 * taken, and ends the process when there is no listener any more. On the loop's thread only.
 */
final class SharedListener {

  private final UcpListener ucx;
  private final InetSocketAddress address;
  private Consumer<UcpConnectionRequest> taker;

  SharedListener(UcpListener ucx) {
    this.ucx = ucx;
    this.address = ucx.getAddress();
  }

  InetSocketAddress address() {
    return address;
  }

  /** Names who gets connections from now on. */
  void open(Consumer<UcpConnectionRequest> newTaker) {
    taker = newTaker;
  }

  /** Connections are rejected from now on. */
  void retire() {
    taker = null;
  }

  boolean isRetired() {
    return taker == null;
  }

  void connect(UcpConnectionRequest request) {
    if (taker == null) {
      request.reject();
    } else {
      taker.accept(request);
    }
  }

  /** Ends it, together with its worker. */
  void close() {
    ucx.close();
  }
}
