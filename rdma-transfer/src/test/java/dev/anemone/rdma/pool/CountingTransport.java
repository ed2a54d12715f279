// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.pool;

import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.ForwardingConnection;
import dev.anemone.rdma.transport.ForwardingTransport;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transport that counts what the thread which has opened it sends over connections that it makes:
 * questions, reads, writes and flushes, each of which comes back. What other threads do, such as
 * heartbeats, is not counted.
 */
final class CountingTransport extends ForwardingTransport {

  private final Thread counted = Thread.currentThread();
  private final AtomicInteger roundTrips = new AtomicInteger();

  private CountingTransport(Transport transport) {
    super(transport);
  }

  static CountingTransport open() throws IOException {
    return new CountingTransport(TestPool.openTransport());
  }

  /** How many since the last call. */
  int roundTrips() {
    return roundTrips.getAndSet(0);
  }

  private void count() {
    if (Thread.currentThread() == counted) {
      roundTrips.incrementAndGet();
    }
  }

  @Override
  public Connection connect(InetSocketAddress address, MessageHandler handler, Duration deadline)
      throws IOException {
    return new Counted(super.connect(address, handler, deadline));
  }

  private final class Counted extends ForwardingConnection {

    Counted(Connection connection) {
      super(connection);
    }

    @Override
    public void read(
        RemoteRegion from,
        long offset,
        MemoryRegion into,
        int position,
        int length,
        Completion completion) {
      count();
      super.read(from, offset, into, position, length, completion);
    }

    @Override
    public void write(
        MemoryRegion from,
        int position,
        int length,
        RemoteRegion to,
        long offset,
        Completion completion) {
      count();
      super.write(from, position, length, to, offset, completion);
    }

    @Override
    public void flush(Completion completion) {
      count();
      super.flush(completion);
    }

    @Override
    public void send(ByteBuffer message, Completion completion) {
      count();
      super.send(message, completion);
    }
  }
}
