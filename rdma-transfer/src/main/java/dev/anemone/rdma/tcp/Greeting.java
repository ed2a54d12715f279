// SPDX-License-Identifier: Apache-2.0
package dev.anemone.rdma.tcp;

import dev.anemone.rdma.transport.Acceptor;
import dev.anemone.rdma.transport.Connection;
import dev.anemone.rdma.transport.MessageHandler;
import io.netty.channel.nio.NioEventLoop;
import io.netty.channel.nio.NioTask;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket that a listener has accepted: first waits for the other side's {@link Hello}, then is
 * its connection's. Whoever says something else, or nothing for ten seconds, is hung up on. Used by
 * one event loop.
 */
final class Greeting implements NioTask<SelectableChannel> {

  private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);

  /**
   * Who has connected says at once who it is; what takes longer is a stranger, so this is no
   * option.
   */
  private static final long PATIENCE_MILLIS = 10_000;

  /** For a connection that nobody has taken. */
  private static final MessageHandler NOBODY =
      new MessageHandler() {
        @Override
        public void onMessage(Connection from, ByteBuffer message) {
          throw new IllegalStateException("a message on a connection that has ended");
        }

        @Override
        public void onClosed(Connection ended, IOException cause) {
          // Told when the acceptor failed.
        }
      };

  private final TcpTransport transport;
  private final Acceptor acceptor;
  private final SocketChannel channel;
  private final InetSocketAddress peer;
  private final NioEventLoop loop;
  private final ByteBuffer hello = ByteBuffer.allocate(Hello.BYTES);
  private ScheduledFuture<?> patience;
  private TcpConnection connection;
  private boolean answered;

  private Greeting(
      TcpTransport transport, Acceptor acceptor, SocketChannel channel, NioEventLoop loop)
      throws IOException {
    this.transport = transport;
    this.acceptor = acceptor;
    this.channel = channel;
    this.peer = (InetSocketAddress) channel.getRemoteAddress();
    this.loop = loop;
  }

  /** Takes over a socket. */
  static void begin(
      TcpTransport transport, Acceptor acceptor, SocketChannel channel, NioEventLoop loop)
      throws IOException {
    channel.configureBlocking(false);
    Connecting.prepare(channel);
    Greeting greeting = new Greeting(transport, acceptor, channel, loop);
    loop.execute(greeting::register);
  }

  private void register() {
    patience =
        loop.schedule(
            () -> hangUp(new IOException("says nothing")), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    loop.register(channel, SelectionKey.OP_READ, this);
  }

  @Override
  public void channelReady(SelectableChannel socket, SelectionKey key) {
    if (connection != null) {
      connection.channelReady(socket, key);
      return;
    }
    try {
      if (channel.read(hello) < 0) {
        throw new EOFException("hangs up");
      }
      if (!hello.hasRemaining()) {
        accept(Hello.decode(hello.flip()), key);
      }
    } catch (IOException | RuntimeException e) {
      hangUp(e);
    }
  }

  private void accept(Hello theirs, SelectionKey key) throws IOException {
    patience.cancel(false);
    TcpConnection accepted =
        new TcpConnection(transport, channel, peer, loop, theirs.deadlineMillis());
    say(theirs);
    transport.remember(accepted);
    accepted.registered(key);
    connection = accepted;
    begin(accepted);
  }

  private void begin(TcpConnection accepted) {
    MessageHandler handler;
    Callbacks.enter();
    try {
      handler = Objects.requireNonNull(acceptor.accept(accepted), "the acceptor gave no handler");
    } catch (RuntimeException e) {
      LOG.error("the connection of {} ends, since its acceptor failed", peer, e);
      accepted.start(NOBODY);
      accepted.fail(new IOException("the acceptor failed: " + e, e));
      return;
    } finally {
      Callbacks.leave();
    }
    accepted.start(handler);
  }

  /** Nothing was sent before, so that the socket takes all of it. */
  private void say(Hello ours) throws IOException {
    answered = true;
    channel.write(ours.encode());
  }

  private void hangUp(Exception why) {
    patience.cancel(false);
    LOG.info("{} is not let in: {}", peer, why.getMessage());
    try {
      if (!hello.hasRemaining() && !answered) {
        // So that somebody of another version can say what is wrong.
        say(new Hello(1));
      }
    } catch (IOException e) {
      LOG.debug("{} is gone", peer, e);
    }
    close();
  }

  private void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.warn("the socket to {} cannot be closed", peer, e);
    }
  }

  @Override
  public void channelUnregistered(SelectableChannel socket, Throwable cause) {
    if (connection == null) {
      patience.cancel(false);
      close();
    } else {
      connection.channelUnregistered(socket, cause);
    }
  }
}
