// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.proxy;

import dev.anemone.ndp.protocol.NdpHttp;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * How the data node's web server is reached. Thread-safe.
 *
 * @param tls by which the data node's certificate is checked, if it has one
 * @param patience how long connecting may take
 */
record DataNodeWay(InetSocketAddress address, ProxyTls tls, Duration patience) {

  /** What is taken of a connection at once. */
  private static final int READ_BYTES = 1 << 18;

  /** Begins of addresses there. */
  String root() {
    return tls.dataNodeScheme() + "://" + authority() + "/";
  }

  /** The host, of IPv6 in brackets, and the port. */
  String authority() {
    String host = address.getHostString();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  /**
   * Begins to connect.
   *
   * @param loops one of which has the connection
   * @param handlers of what HTTP has read and written, in their order
   */
  ChannelFuture connect(EventLoopGroup loops, ChannelHandler... handlers) {
    return new Bootstrap()
        .group(loops)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) patience.toMillis())
        .option(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                tls.dataNode()
                    .ifPresent(context -> channel.pipeline().addLast(encryption(context)));
                channel
                    .pipeline()
                    .addLast(
                        new HttpClientCodec(
                            NdpHttp.MAX_HEADER_BYTES, NdpHttp.MAX_HEADER_BYTES, READ_BYTES))
                    .addLast(handlers);
              }
            })
        .connect(address);
  }

  /** The data node has to prove that it is who was meant. */
  private SslHandler encryption(SSLContext context) {
    SSLEngine engine = context.createSSLEngine(address.getHostString(), address.getPort());
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    SslHandler handler = new SslHandler(engine);
    handler.setHandshakeTimeoutMillis(patience.toMillis());
    return handler;
  }
}
