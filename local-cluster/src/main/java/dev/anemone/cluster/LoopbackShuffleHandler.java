// SPDX-License-Identifier: Apache-2.0
package dev.anemone.cluster;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapred.ShuffleChannelHandlerContext;
import org.apache.hadoop.mapred.ShuffleChannelInitializer;
import org.apache.hadoop.mapred.ShuffleHandler;

/**
 * YARN's shuffle service, at the address of its node. Hadoop's own listens at all addresses of the
 * machine and cannot be told otherwise, so its socket is closed as soon as it is open; requests are
 * answered by Hadoop's code.
 */
public final class LoopbackShuffleHandler extends ShuffleHandler {

  /** Where to listen; a host name. */
  static final String HOST = "anemone.cluster.shuffle.host";

  private static final long CLOSE_DEADLINE_SECONDS = 10;
  private static final int THREADS = 2;

  private final NioEventLoopGroup threads = new NioEventLoopGroup(THREADS);
  private ShuffleChannelHandlerContext context;
  private int port;

  /** Called by the NodeManager. */
  public LoopbackShuffleHandler() {}

  @Override
  protected ShuffleChannelHandlerContext createHandlerContext() {
    context = super.createHandlerContext();
    return context;
  }

  @Override
  protected void serviceStart() throws Exception {
    super.serviceStart();
    Channel everywhere = allChannels.iterator().next();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(threads)
            .channel(NioServerSocketChannel.class)
            .childHandler(new ShuffleChannelInitializer(context, null))
            .bind(new InetSocketAddress(getConfig().get(HOST), 0))
            .sync();
    everywhere.close().sync();
    allChannels.add(bound.channel());
    port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
    // What requests are signed with includes the port.
    context.port = port;
  }

  @Override
  public synchronized ByteBuffer getMetaData() {
    try {
      return serializeMetaData(port);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot tell the port of the shuffle service", e);
    }
  }

  @Override
  protected void serviceStop() throws Exception {
    super.serviceStop();
    if (!threads
        .shutdownGracefully(0, 0, TimeUnit.SECONDS)
        .await(CLOSE_DEADLINE_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("the shuffle service's threads do not end");
    }
  }
}
