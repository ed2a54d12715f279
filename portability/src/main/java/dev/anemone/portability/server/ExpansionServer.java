// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.portability.harness.LoopbackServers;
import java.io.IOException;
import java.util.List;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.sdk.expansion.service.ExpansionService;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.PortablePipelineOptions;
import org.apache.beam.sdk.util.construction.Environments;
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
    PortablePipelineOptions options =
        PipelineOptionsFactory.create().as(PortablePipelineOptions.class);
    // What is expanded here runs in the JVM of the task, which has the same class path.
    options.setDefaultEnvironmentType(Environments.ENVIRONMENT_EMBEDDED);
    options.setFilesToStage(List.of());
    try {
      Server server =
          LoopbackServers.at(port)
              .allocateAddressAndCreate(
                  List.of(new ExpansionService(options), new ArtifactRetrievalService()), address);
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
