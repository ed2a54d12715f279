// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;

/** The transport {@code tcp}: works everywhere, and so is the last that is taken. */
public final class TcpTransportProvider implements TransportProvider {

  private static final int LAST = 0;

  @Override
  public String name() {
    return TcpTransport.NAME;
  }

  @Override
  public int preference() {
    return LAST;
  }

  @Override
  public Transport open() {
    return new TcpTransport();
  }
}
