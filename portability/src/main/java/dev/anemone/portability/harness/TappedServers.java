// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.IOException;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.BindableService;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;

/** Servers that Beam makes for a harness, whose data and files go other ways. Stateless. */
final class TappedServers extends ServerFactory {

  private final ServerFactory servers;
  private final BiConsumer<String, ReturnedData> taps;
  private final JobArtifacts.Files files;

  /**
   * Makes servers as others do.
   *
   * @param taps is told of each data stream: its address, and where its data goes
   * @param files of the job, for harnesses that ask for what was staged
   */
  TappedServers(
      ServerFactory servers, BiConsumer<String, ReturnedData> taps, JobArtifacts.Files files) {
    this.servers = servers;
    this.taps = taps;
    this.files = files;
  }

  @Override
  public Server allocateAddressAndCreate(
      List<BindableService> services, ApiServiceDescriptor.Builder address) throws IOException {
    ReturnedData returned = new ReturnedData();
    Server server = servers.allocateAddressAndCreate(tapped(services, returned), address);
    taps.accept(address.getUrl(), returned);
    return server;
  }

  @Override
  public Server create(List<BindableService> services, ApiServiceDescriptor address)
      throws IOException {
    ReturnedData returned = new ReturnedData();
    taps.accept(address.getUrl(), returned);
    return servers.create(tapped(services, returned), address);
  }

  private List<BindableService> tapped(List<BindableService> services, ReturnedData returned) {
    return services.stream().map(service -> tapped(service, returned)).toList();
  }

  private BindableService tapped(BindableService service, ReturnedData returned) {
    if (service instanceof ArtifactRetrievalService) {
      return new JobArtifacts(files);
    }
    return ReturnedData.isDataService(service) ? returned.tap(service) : service;
  }
}
