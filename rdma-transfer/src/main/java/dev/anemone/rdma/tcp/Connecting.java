// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import io.netty.channel.nio.NioEventLoop;
import io.netty.util.concurrent.Future;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** The connecting side's way to a connection: it waits, on the caller's thread. */
final class Connecting {

  private final TcpTransport transport;
  private final InetSocketAddress address;
  private final int deadlineMillis;
  private final long endNanos;

  private Connecting(TcpTransport transport, InetSocketAddress address, int deadlineMillis) {
    this.transport = transport;
    this.address = address;
    this.deadlineMillis = deadlineMillis;
    this.endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
  }

  /**
   * Connects.
   *
   * @throws IOException with the address, and what was in the way
   */
  static TcpConnection connect(
      TcpTransport transport, InetSocketAddress address, MessageHandler handler, Duration deadline)
      throws IOException {
    if (deadline.compareTo(Connection.LONGEST_DEADLINE) > 0 || deadline.toMillis() < 1) {
      throw new IllegalArgumentException("a deadline of " + deadline);
    }
    return new Connecting(transport, address, (int) deadline.toMillis()).connect(handler);
  }

  private TcpConnection connect(MessageHandler handler) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      prepare(channel);
      reach(channel);
      greet(channel);
      return start(channel, handler);
    } catch (ConnectException e) {
      channel.close();
      throw new IOException("nobody listens at " + address + ": " + e.getMessage(), e);
    } catch (SocketTimeoutException e) {
      channel.close();
      throw new IOException("no answer from " + address + " within " + deadlineMillis + " ms", e);
    } catch (EOFException e) {
      channel.close();
      throw new IOException("what listens at " + address + " has hung up", e);
    } catch (IOException e) {
      channel.close();
      throw new IOException("cannot connect to " + address + ": " + e.getMessage(), e);
    }
  }

  private void reach(SocketChannel channel) throws IOException {
    try {
      channel.socket().connect(address, leftMillis());
    } catch (SocketTimeoutException e) {
      ConnectException unreachable =
          new ConnectException("it was not reached within " + deadlineMillis + " ms");
      unreachable.initCause(e);
      throw unreachable;
    }
  }

  /** Sets what both sides' sockets have. */
  static void prepare(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
  }

  private int leftMillis() throws SocketTimeoutException {
    long left = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
    if (left <= 0) {
      throw new SocketTimeoutException();
    }
    return (int) left;
  }

  private void greet(SocketChannel channel) throws IOException {
    ByteBuffer hello = new Hello(deadlineMillis).encode();
    while (hello.hasRemaining()) {
      channel.write(hello);
    }
    byte[] reply = new byte[Hello.BYTES];
    // The socket's stream, since a channel has no timeout.
    InputStream in = channel.socket().getInputStream();
    int got = 0;
    while (got < reply.length) {
      channel.socket().setSoTimeout(leftMillis());
      int more = in.read(reply, got, reply.length - got);
      if (more < 0) {
        throw new EOFException();
      }
      got += more;
    }
    try {
      Hello.decode(ByteBuffer.wrap(reply));
    } catch (IOException e) {
      throw new IOException("what listens there " + e.getMessage(), e);
    }
  }

  private TcpConnection start(SocketChannel channel, MessageHandler handler) throws IOException {
    channel.configureBlocking(false);
    NioEventLoop loop = transport.nextLoop();
    TcpConnection connection = new TcpConnection(transport, channel, address, loop, deadlineMillis);
    Future<?> begun;
    try {
      begun =
          loop.submit(
              () -> {
                transport.remember(connection);
                connection.start(handler);
                // Writable at once: so it gets to know its key.
                loop.register(channel, SelectionKey.OP_READ | SelectionKey.OP_WRITE, connection);
                return connection;
              });
    } catch (RejectedExecutionException e) {
      throw new IOException("the transport was closed meanwhile", e);
    }
    if (!LoopTasks.await(begun, loop, endNanos) && begun.cancel(false)) {
      throw loop.isTerminated()
          ? new IOException("the transport was closed meanwhile")
          : new SocketTimeoutException("its event loop was busy");
    }
    begun.syncUninterruptibly();
    return connection;
  }
}
