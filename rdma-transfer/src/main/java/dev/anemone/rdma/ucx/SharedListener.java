// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;

/**
 * A UCX listener, which stays until the process ends, and rejects who connects when its transport
 * does not want it any longer: UCX's own thread tells a listener of those whose connection it has
 * taken, however late they send what they have to, and ends the process when there is no listener
 * any more. On the loop's thread only.
 */
final class SharedListener {

  /** Held, since UCX's binding finds it by a weak reference. */
  private final UcpListener ucx;

  private Consumer<UcpConnectionRequest> taker;

  SharedListener(UcpListener ucx) {
    this.ucx = ucx;
  }

  InetSocketAddress address() {
    return ucx.getAddress();
  }

  /** Whether it listens where somebody wants to; port 0 is any port. */
  boolean isAt(InetSocketAddress wanted) {
    return address().getAddress().equals(wanted.getAddress())
        && (wanted.getPort() == 0 || wanted.getPort() == address().getPort());
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
}
