// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.ucx;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;

/**
 * A UCX listener, which stays until the process ends, and refuses who connects when its transport
 * does not want it any longer: UCX's own thread tells a listener of those whose connection it has
 * taken, however late they send what they have to, and ends the process when there is no listener
 * any more. On the loop's thread only.
 *
 * <p>Refused is who has connected and said HELLO. UCX's own way to reject a connection closes a
 * socket that its thread may have an event of, which UCX before 1.18 gives to the next one of that
 * number, and ends the process.
 */
final class SharedListener {

  /** Held, since UCX's binding finds it by a weak reference. */
  private final UcpListener ucx;

  private final Consumer<UcpConnectionRequest> refuser;
  private Consumer<UcpConnectionRequest> taker;

  /** A listener that gives its connections to a refuser when nobody wants them. */
  SharedListener(UcpListener ucx, Consumer<UcpConnectionRequest> refuser) {
    this.ucx = ucx;
    this.refuser = refuser;
    this.taker = refuser;
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

  /** Connections are refused from now on. */
  void retire() {
    taker = refuser;
  }

  boolean isRetired() {
    return taker == refuser;
  }

  void connect(UcpConnectionRequest request) {
    taker.accept(request);
  }
}
