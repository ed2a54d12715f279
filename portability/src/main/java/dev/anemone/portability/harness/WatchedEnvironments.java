// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.runners.fnexecution.control.ControlClientPool;
import org.apache.beam.runners.fnexecution.control.FnApiControlClient;
import org.apache.beam.runners.fnexecution.control.FnApiControlClientPoolService;
import org.apache.beam.runners.fnexecution.environment.EnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.RemoteEnvironment;
import org.apache.beam.runners.fnexecution.logging.GrpcLoggingService;
import org.apache.beam.runners.fnexecution.provisioning.StaticGrpcProvisionService;
import org.apache.beam.sdk.fn.IdGenerator;
import org.apache.beam.sdk.fn.server.GrpcFnServer;
import org.apache.beam.sdk.fn.server.ServerFactory;

/**
 * Environments of which somebody learns when their harness closes its connection: Beam fails the
 * bundles that wait for an answer then, and tells nobody else. Their data goes elsewhere.
 * Stateless.
 *
 * @param environments makes them
 * @param taps is told where the data of each address goes
 * @param files of the job, for harnesses that ask for what was staged
 * @param closed is told, on a thread of the connection
 */
record WatchedEnvironments(
    EnvironmentFactory.Provider environments,
    BiConsumer<String, ReturnedData> taps,
    JobArtifacts.Files files,
    Consumer<RemoteEnvironment> closed)
    implements EnvironmentFactory.Provider {

  @Override
  public EnvironmentFactory createEnvironmentFactory(
      GrpcFnServer<FnApiControlClientPoolService> control,
      GrpcFnServer<GrpcLoggingService> logging,
      GrpcFnServer<ArtifactRetrievalService> retrieval,
      GrpcFnServer<StaticGrpcProvisionService> provisioning,
      ControlClientPool clients,
      IdGenerator ids) {
    EnvironmentFactory factory =
        environments.createEnvironmentFactory(
            control, logging, retrieval, provisioning, clients, ids);
    return (environment, workerId) -> {
      RemoteEnvironment started = factory.createEnvironment(environment, workerId);
      if (started.getInstructionRequestHandler() instanceof FnApiControlClient client) {
        client.onClose(gone -> closed.accept(started));
      }
      return started;
    };
  }

  @Override
  public ServerFactory getServerFactory() {
    return new TappedServers(environments.getServerFactory(), taps, files);
  }
}
