// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Listener;
import io.netty.channel.nio.NioEventLoop;
import io.netty.channel.nio.NioTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts sockets, and leaves them to a {@link Greeting} each. */
final class TcpListener implements Listener, NioTask<SelectableChannel> {

  private static final Logger LOG = LoggerFactory.getLogger(TcpListener.class);
  private static final int BACKLOG = 1_024;

  /** Between two tries to accept when descriptors have run out. */
  private static final long RETRY_MILLIS = 100;

  private final TcpTransport transport;
  private final ServerSocketChannel channel;
  private final InetSocketAddress address;
  private final Acceptor acceptor;
  private final NioEventLoop loop;
  private volatile ScheduledFuture<?> retry;

  private TcpListener(
      TcpTransport transport, ServerSocketChannel channel, Acceptor acceptor, NioEventLoop loop)
      throws IOException {
    this.transport = transport;
    this.channel = channel;
    this.address = (InetSocketAddress) channel.getLocalAddress();
    this.acceptor = acceptor;
    this.loop = loop;
  }

  static TcpListener open(
      TcpTransport transport, InetSocketAddress address, Acceptor acceptor, NioEventLoop loop)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.bind(address, BACKLOG);
      TcpListener listener = new TcpListener(transport, channel, acceptor, loop);
      loop.register(channel, SelectionKey.OP_ACCEPT, listener);
      return listener;
    } catch (IOException e) {
      channel.close();
      throw new IOException("cannot listen at " + address + ": " + e.getMessage(), e);
    }
  }

  @Override
  public InetSocketAddress address() {
    return address;
  }

  @Override
  public void channelReady(SelectableChannel socket, SelectionKey key) {
    try {
      SocketChannel accepted = channel.accept();
      while (accepted != null) {
        greet(accepted);
        accepted = channel.accept();
      }
    } catch (IOException e) {
      // Such as: too many open files. The listener stays, and does not ask again at once.
      LOG.warn("a connection to {} cannot be accepted", address, e);
      key.interestOps(0);
      retry =
          loop.schedule(
              () -> key.isValid() ? key.interestOps(SelectionKey.OP_ACCEPT) : null,
              RETRY_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  private void greet(SocketChannel accepted) throws IOException {
    try {
      Greeting.begin(transport, acceptor, accepted, transport.nextLoop());
    } catch (IOException e) {
      // It has gone already.
      LOG.debug("a connection to {} is lost", address, e);
      accepted.close();
    }
  }

  @Override
  public void channelUnregistered(SelectableChannel socket, Throwable cause) {
    close();
  }

  @Override
  public void close() {
    transport.forget(this);
    if (retry != null) {
      retry.cancel(false);
    }
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("the listener at " + address + " cannot be closed", e);
    }
    if (transport.isOnLoop()) {
      return;
    }
    // The socket listens until its event loop has looked at it.
    long end = System.nanoTime() + TcpTransport.CLOSE_PATIENCE.toNanos();
    while (channel.isRegistered() && !loop.isShuttingDown() && System.nanoTime() - end < 0) {
      LoopTasks.await(loop.submit(() -> {}), loop, end);
    }
  }
}
