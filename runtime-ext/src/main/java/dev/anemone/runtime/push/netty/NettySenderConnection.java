// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.netty;

import dev.anemone.runtime.push.OutgoingBatch;
import dev.anemone.runtime.push.SenderConnection;
import dev.anemone.runtime.push.SenderEvent;
import dev.anemone.runtime.push.protocol.PushAddress;
import dev.anemone.runtime.push.protocol.PushProtocol;
import dev.anemone.runtime.push.protocol.Reply;
import dev.anemone.runtime.push.protocol.SenderHandshake;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * A connection by Netty. {@link #send} and {@link #close} may be called by any thread; everything
 * else is done by the thread of its event loop.
 */
final class NettySenderConnection extends ChannelInboundHandlerAdapter
    implements SenderConnection, OutgoingBatch.Carrier {

  private final int target;
  private final Consumer<SenderEvent> events;
  private final EventLoop loop = EventLoops.senders().next();
  private final Queue<OutgoingBatch> unsent = new ArrayDeque<>();
  private final ByteBuf reply = Unpooled.buffer(Reply.BYTES, Reply.BYTES);
  private ChannelFuture connected;
  private ChannelHandlerContext context;
  private boolean welcome;
  private boolean closed;

  private NettySenderConnection(int target, Consumer<SenderEvent> events) {
    this.target = target;
    this.events = events;
  }

  /** Begins to connect, and introduces the sender when it has connected. */
  static NettySenderConnection open(
      int target,
      PushAddress address,
      SenderHandshake handshake,
      Duration connectTimeout,
      Consumer<SenderEvent> events) {
    NettySenderConnection connection = new NettySenderConnection(target, events);
    Bootstrap bootstrap =
        new Bootstrap()
            .group(connection.loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(connectTimeout.toMillis()))
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel
                        .pipeline()
                        .addLast(new GreetingHandler(handshake, connection), connection);
                  }
                });
    connection.loop.execute(() -> connection.connect(bootstrap, address));
    return connection;
  }

  private void connect(Bootstrap bootstrap, PushAddress address) {
    if (closed) {
      return;
    }
    connected = bootstrap.connect(address.host(), address.port());
    connected.addListener(
        done -> {
          if (!done.isSuccess()) {
            disconnect("it cannot be reached: " + done.cause().getMessage());
          }
        });
  }

  @Override
  public int maxEntries() {
    return PushProtocol.MAX_ENTRIES;
  }

  @Override
  public long maxEntryBytes() {
    return Integer.MAX_VALUE;
  }

  @Override
  public void send(OutgoingBatch batch) {
    loop.execute(batch.carriedBy(this));
  }

  @Override
  public void carry(OutgoingBatch batch) {
    if (closed) {
      events.accept(batch.released());
    } else if (welcome) {
      write(batch);
    } else {
      unsent.add(batch);
    }
  }

  @Override
  public void close() {
    loop.execute(() -> disconnect("the sender has closed the connection"));
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  /** The receiver lets batches in. */
  void welcome() {
    welcome = true;
    while (!unsent.isEmpty()) {
      write(unsent.remove());
    }
  }

  /** Writes header and pages, which are released also when they cannot be written. */
  private void write(OutgoingBatch batch) {
    int pages = batch.beginLending();
    write(batch.header(context.alloc()));
    for (int i = 0; i < pages; i++) {
      write(batch.lend(i));
    }
    context.flush();
    if (pages == 0) {
      carried(batch);
    }
  }

  /** A failure is told to {@link #exceptionCaught}: a promise would be an object for each page. */
  @SuppressWarnings("FutureReturnValueIgnored")
  private void write(ByteBuf bytes) {
    context.write(bytes, context.voidPromise());
  }

  @Override
  public void carried(OutgoingBatch batch) {
    events.accept(batch.released());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      while (bytes.isReadable() && !closed) {
        bytes.readBytes(reply, Math.min(bytes.readableBytes(), reply.writableBytes()));
        if (!reply.isWritable()) {
          read(Reply.of(reply.readByte()), reply.readInt());
          reply.clear();
        }
      }
    } finally {
      bytes.release();
    }
  }

  private void read(Reply kind, int argument) {
    if (kind != null && kind.isToBatch()) {
      events.accept(new SenderEvent.Answered(target, kind, argument));
    } else {
      disconnect("it does not speak the push protocol");
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    disconnect("it has closed the connection");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    disconnect("the connection has failed: " + cause);
  }

  void disconnect(String reason) {
    if (closed) {
      return;
    }
    closed = true;
    events.accept(new SenderEvent.Disconnected(target, reason));
    while (!unsent.isEmpty()) {
      events.accept(unsent.remove().released());
    }
    if (connected != null) {
      connected.channel().close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }
}
