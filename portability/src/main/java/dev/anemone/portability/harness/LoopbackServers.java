// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.sdk.fn.server.GrpcContextHeaderAccessorProvider;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.BindableService;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerInterceptors;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.netty.NettyServerBuilder;

/**
 * Servers at this machine's loopback address alone, since whoever reaches them runs code. Those
 * that Beam makes say that address, but listen at all. Stateless.
 */
public final class LoopbackServers extends ServerFactory {

  private static final String HOST = "localhost";

  /** As often may a client ask whether a server is there; as in Beam's servers. */
  private static final long KEEP_ALIVE_SECONDS = 20;

  private final int port;

  private LoopbackServers(int port) {
    this.port = port;
  }

  /** Servers at any free port. */
  public static ServerFactory create() {
    return new LoopbackServers(0);
  }

  /** A server at a port; 0 for any free one. */
  public static ServerFactory at(int port) {
    return new LoopbackServers(port);
  }

  @Override
  public Server allocateAddressAndCreate(
      List<BindableService> services, ApiServiceDescriptor.Builder address) throws IOException {
    Server server = start(services, port);
    address.setUrl(HOST + ":" + server.getPort());
    return server;
  }

  @Override
  public Server create(List<BindableService> services, ApiServiceDescriptor address)
      throws IOException {
    String url = address.getUrl();
    return start(services, Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)));
  }

  private static Server start(List<BindableService> services, int port) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            // Beam's messages are as large as those who send them make them.
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .permitKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    for (BindableService service : services) {
      builder.addService(
          ServerInterceptors.intercept(service, GrpcContextHeaderAccessorProvider.interceptor()));
    }
    return builder.build().start();
  }
}
