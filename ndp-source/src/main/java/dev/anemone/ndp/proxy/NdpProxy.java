// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.engine.NdpEngine;
import dev.anemone.ndp.protocol.NdpHttp;
import dev.anemone.ndp.protocol.ProxyStatus;
import dev.anemone.ndp.protocol.ProxyStatus.DataNodeIdentity;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A proxy of WebHDFS beside a data node, which also runs plans on its files. Serves until it is
 * closed. Thread-safe.
 */
public final class NdpProxy implements AutoCloseable {

  private static final int EVENT_LOOPS = 2;

  /** Connections are cut, which waits for nobody; what takes longer hangs. */
  private static final long END_MS = 10_000;

  private final ProxyCore core;
  private final EventLoopGroup loops;
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel server;

  private NdpProxy(ProxyCore core, EventLoopGroup loops) throws IOException {
    this.core = core;
    this.loops = loops;
    this.server =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel client) {
                    accept(client);
                  }
                })
            .bind(core.options().listen())
            .awaitUninterruptibly()
            .channel();
    if (!server.isActive()) {
      throw new IOException(
          "the proxy cannot listen at "
              + core.options().listen().getHostString()
              + ":"
              + core.options().listen().getPort()
              + "; the port may be taken, or the address be another machine's");
    }
  }

  /**
   * Starts a proxy.
   *
   * @throws IOException when no data node answers, or the proxy cannot listen
   */
  public static NdpProxy start(ProxyOptions options) throws IOException {
    EventLoopGroup loops =
        new NioEventLoopGroup(EVENT_LOOPS, new DefaultThreadFactory("ndp-proxy", true));
    try {
      return start(options, loops);
    } catch (IOException | RuntimeException e) {
      close(loops);
      throw e;
    }
  }

  private static NdpProxy start(ProxyOptions options, EventLoopGroup loops) throws IOException {
    DataNode dataNode = new DataNode(options.wayToDataNode(), loops);
    DataNodeIdentity identity;
    boolean secure;
    try {
      identity = dataNode.identity();
      secure = dataNode.isSecure();
    } catch (IOException e) {
      throw new IOException(
          "there is no data node of HDFS at "
              + options.wayToDataNode().authority()
              + "; give the address of its web server, as HOST:PORT (dfs.datanode.http.address) or"
              + " https://HOST:PORT (dfs.datanode.https.address): "
              + e.getMessage(),
          e);
    }
    if (secure) {
      requirePrivacy(options);
    }
    NdpEngine engine = new NdpEngine(options.planLimits());
    PlanQueue queue = new PlanQueue(options.limits().cores(), options.limits().queue());
    try {
      return new NdpProxy(
          new ProxyCore(
              options,
              dataNode,
              identity,
              secure,
              engine,
              queue,
              new ProcessorShare(options.limits().cores()),
              new Meters()),
          loops);
    } catch (IOException | RuntimeException e) {
      queue.close();
      engine.close();
      throw e;
    }
  }

  /** What comes with a plan lets whoever reads it read the caller's files. */
  private static void requirePrivacy(ProxyOptions options) throws IOException {
    if (options.tls().clients().isEmpty() && !OwnAddresses.isLoopback(options.listen())) {
      throw new IOException(
          "this cluster wants Kerberos, so that plans come with delegation tokens, which everybody"
              + " on the network could read; let the proxy listen on https://");
    }
    if (options.tls().dataNode().isEmpty() && !OwnAddresses.has(options.dataNode())) {
      throw new IOException(
          "this cluster wants Kerberos, and the data node is another machine, so that everybody on"
              + " the network between could read delegation tokens; run the proxy beside it, or"
              + " give the data node's address of https://");
    }
  }

  private void accept(SocketChannel client) {
    core.options()
        .tls()
        .clients()
        .ifPresent(
            engines -> {
              SslHandler encryption = new SslHandler(engines.get());
              encryption.setHandshakeTimeoutMillis(core.options().limits().patience().toMillis());
              client.pipeline().addLast(encryption);
            });
    client
        .pipeline()
        .addLast(
            new HttpServerCodec(
                NdpHttp.MAX_HEADER_BYTES, NdpHttp.MAX_HEADER_BYTES, NdpHttp.MAX_HEADER_BYTES));
    if (clients.size() >= core.options().limits().connections()) {
      Replies.refuse(
          client,
          HttpResponseStatus.SERVICE_UNAVAILABLE,
          "there are "
              + core.options().limits().connections()
              + " connections, and no more may be");
      return;
    }
    clients.add(client);
    client
        .pipeline()
        .addLast(
            new IdleStateHandler(
                0, 0, core.options().limits().patience().toMillis(), TimeUnit.MILLISECONDS),
            new FrontHandler(core));
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** How it is; as if it had its cores for itself, until a plan has shown what it has. */
  public ProxyStatus status() {
    return core.status(1);
  }

  /** Waits until the proxy is closed. */
  public void awaitStop() throws InterruptedException {
    server.closeFuture().sync();
  }

  /** Cuts all clients off and ends their plans. */
  @Override
  public void close() {
    server.close().awaitUninterruptibly(END_MS);
    clients.close().awaitUninterruptibly(END_MS);
    core.queue().close();
    core.engine().close();
    close(loops);
  }

  private static void close(EventLoopGroup loops) {
    loops.shutdownGracefully(0, END_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(END_MS);
  }
}
