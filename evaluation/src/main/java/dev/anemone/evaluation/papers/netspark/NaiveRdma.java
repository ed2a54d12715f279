// SPDX-License-Identifier: Apache-2.0
package dev.anemone.evaluation.papers.netspark;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Completion;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.ForwardingConnection;
import dev.anemone.rdma.transport.ForwardingTransport;
import dev.anemone.rdma.transport.Listener;
import dev.anemone.rdma.transport.MemoryRegion;
import dev.anemone.rdma.transport.MessageHandler;
import dev.anemone.rdma.transport.RemoteRegion;
import dev.anemone.rdma.transport.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Reads as the slides' naive RDMA does: into memory that is allocated, registered and freed for
 * each read, and copied from there. Who listens reads so, as receivers of what is pushed do; all
 * else is another transport's. Thread-safe.
 */
final class NaiveRdma extends ForwardingTransport {

  /** In front of a transport, which it owns. */
  NaiveRdma(Transport transport) {
    super(transport);
  }

  @Override
  public Listener listen(InetSocketAddress address, Acceptor acceptor) throws IOException {
    return super.listen(
        address,
        accepted -> {
          Connection naive = new NaiveConnection(accepted);
          return new Naming(naive, acceptor.accept(naive));
        });
  }

  /** Tells a handler of a connection by another's name. */
  private record Naming(Connection connection, MessageHandler handler) implements MessageHandler {

    @Override
    public void onMessage(Connection inner, ByteBuffer message) {
      handler.onMessage(connection, message);
    }

    @Override
    public void onClosed(Connection inner, IOException cause) {
      handler.onClosed(connection, cause);
    }
  }

  private final class NaiveConnection extends ForwardingConnection {

    NaiveConnection(Connection connection) {
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
      MemoryRegion passing;
      try {
        passing = register(ByteBuffer.allocateDirect(length));
      } catch (IOException e) {
        completion.completed(e);
        return;
      }
      try {
        super.read(
            from,
            offset,
            passing,
            0,
            length,
            failure -> {
              if (failure == null) {
                into.memory().put(position, passing.memory(), 0, length);
              }
              passing.close();
              completion.completed(failure);
            });
      } catch (RuntimeException e) {
        passing.close();
        throw e;
      }
    }
  }
}
