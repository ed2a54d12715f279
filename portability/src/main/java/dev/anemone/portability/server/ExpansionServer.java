// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.io.IOException;
import java.util.List;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.sdk.expansion.service.ExpansionService;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;

/**
 * Beam's service that expands the Java transforms of the class path for other SDKs.
 *
 * @param server that listens
 * @param endpoint where, as {@code host:port}
 */
record ExpansionServer(Server server, String endpoint) implements AutoCloseable {

  /** Starts one on this machine's loopback address. */
  static ExpansionServer start(int port) throws IOException {
    ApiServiceDescriptor.Builder address = ApiServiceDescriptor.newBuilder();
    try {
      Server server =
          ServerFactory.createWithPortSupplier(() -> port)
              .allocateAddressAndCreate(List.of(new ExpansionService()), address);
      return new ExpansionServer(server, address.getUrl());
    } catch (IOException e) {
      throw JobServer.taken("expansionPort", port, e);
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
