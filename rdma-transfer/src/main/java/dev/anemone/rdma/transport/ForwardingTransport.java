// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Does what another transport does, for those who watch or disturb a part of it: they override
 * that. Owns the other one, and closes it. Thread-safe as that is.
 */
public class ForwardingTransport implements Transport {

  private final Transport transport;

  /** In front of a transport. */
  public ForwardingTransport(Transport transport) {
    this.transport = transport;
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
    return transport.connect(address, handler, deadline);
  }

  @Override
  public void close() {
    transport.close();
  }
}
