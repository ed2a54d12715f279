// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.rdma.tcp.TcpTransportProvider;
import dev.anemone.rdma.transport.Transport;
import dev.anemone.rdma.transport.TransportProvider;
import java.util.concurrent.atomic.AtomicInteger;

/** The transport {@code tcp} by another name, which says how often it was opened. */
public final class CountedTransport implements TransportProvider {

  static final String NAME = "counted";

  private static final AtomicInteger OPENED = new AtomicInteger();

  /** How often it was opened in this JVM. */
  static int opened() {
    return OPENED.get();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int preference() {
    return Integer.MIN_VALUE;
  }

  @Override
  public Transport open() {
    OPENED.incrementAndGet();
    return new TcpTransportProvider().open();
  }
}
