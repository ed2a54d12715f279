// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** A process of a test, within this JVM: a transport of its own, memory, and a listener. */
public final class TestPeer implements AutoCloseable {

  /** The deadline of connections that are not meant to reach it. */
  public static final Duration DEADLINE = Duration.ofMinutes(1);

  private final Transport transport;
  private final MemoryRegion region;
  private final Listener listener;
  private final List<Connection> accepted = new CopyOnWriteArrayList<>();

  /** A peer with so many bytes of memory, whose connections get such handlers. */
  public TestPeer(TransportProvider provider, int bytes, Supplier<MessageHandler> handlers)
      throws IOException {
    this(provider, TestMemory.ALLOCATED, bytes, handlers);
  }

  /** A peer whose memory is of a kind. */
  TestPeer(
      TransportProvider provider, TestMemory kind, int bytes, Supplier<MessageHandler> handlers)
      throws IOException {
    transport = provider.open();
    region = kind.open(transport, bytes);
    listener =
        transport.listen(
            freePort(),
            connection -> {
              accepted.add(connection);
              return handlers.get();
            });
  }

  /**
   * A free port of this machine: of the address that the environment's {@code ANEMONE_TEST_ADDRESS}
   * names, which a device without a loopback of its own needs, or else of loopback.
   */
  public static InetSocketAddress freePort() {
    String address = System.getenv("ANEMONE_TEST_ADDRESS");
    return address == null
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)
        : new InetSocketAddress(address, 0);
  }

  public Transport transport() {
    return transport;
  }

  public MemoryRegion region() {
    return region;
  }

  public RemoteRegion remote() {
    return region.remote();
  }

  public Listener listener() {
    return listener;
  }

  public InetSocketAddress address() {
    return listener.address();
  }

  /** The connection that was accepted as the given one, from 0. */
  public Connection accepted(int index) {
    Await.until("connection " + index + " is accepted", () -> accepted.size() > index);
    return accepted.get(index);
  }

  public Connection connectTo(TestPeer other, MessageHandler handler) throws IOException {
    return connectTo(other.address(), handler);
  }

  public Connection connectTo(InetSocketAddress address, MessageHandler handler)
      throws IOException {
    return transport.connect(address, handler, DEADLINE);
  }

  /** Copies bytes out of the memory. */
  public byte[] bytes(int position, int length) {
    byte[] bytes = new byte[length];
    region.memory().get(position, bytes);
    return bytes;
  }

  /** Copies bytes into the memory. */
  public void fill(int position, byte[] bytes) {
    region.memory().put(position, bytes);
  }

  @Override
  public void close() {
    listener.close();
    region.close();
    transport.close();
  }
}
