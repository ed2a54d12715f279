// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.push.netty;

import dev.anemone.runtime.push.PushListener;
import dev.anemone.runtime.push.PushReceiver;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Listens on a TCP port. */
final class NettyListener implements PushListener {

  /** To bind a port the kernel waits for nobody; what takes longer hangs, so this is no option. */
  private static final long BIND_TIMEOUT_MILLIS = 10_000;

  private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
  private final int port;

  private NettyListener(InetAddress bind, PushReceiver receiver) throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(EventLoops.receivers())
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channels.add(channel);
                    channel.pipeline().addLast(new HelloHandler(receiver));
                  }
                });
    ChannelFuture bound = bootstrap.bind(new InetSocketAddress(bind, 0));
    channels.add(bound.channel());
    if (!bound.awaitUninterruptibly(BIND_TIMEOUT_MILLIS) || !bound.isSuccess()) {
      close(Duration.ofMillis(BIND_TIMEOUT_MILLIS));
      throw new IOException("no TCP port can be had on " + bind, bound.cause());
    }
    port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
  }

  static NettyListener open(InetAddress bind, PushReceiver receiver) throws IOException {
    return new NettyListener(bind, receiver);
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public boolean close(Duration timeout) {
    return channels.close().awaitUninterruptibly(timeout.toMillis());
  }
}
