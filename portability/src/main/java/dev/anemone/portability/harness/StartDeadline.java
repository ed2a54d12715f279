// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.ExternalPayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.StandardEnvironments;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.runners.fnexecution.control.ControlClientPool;
import org.apache.beam.runners.fnexecution.control.FnApiControlClientPoolService;
import org.apache.beam.runners.fnexecution.environment.EnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.RemoteEnvironment;
import org.apache.beam.runners.fnexecution.logging.GrpcLoggingService;
import org.apache.beam.runners.fnexecution.provisioning.StaticGrpcProvisionService;
import org.apache.beam.sdk.fn.IdGenerator;
import org.apache.beam.sdk.fn.server.GrpcFnServer;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.sdk.util.construction.BeamUrns;

/**
 * Beam's environments, which wait for their harness for ever, with a deadline. Stateless.
 *
 * @param environments makes them
 * @param kind of environment, for errors
 * @param deadline how long one of them may take
 * @param threads on which they are waited for
 */
record StartDeadline(
    EnvironmentFactory.Provider environments,
    String kind,
    Duration deadline,
    ExecutorService threads)
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
    return (environment, workerId) -> start(factory, environment, workerId);
  }

  private RemoteEnvironment start(
      EnvironmentFactory factory, Environment environment, String workerId) throws Exception {
    Future<RemoteEnvironment> starting =
        threads.submit(() -> factory.createEnvironment(environment, workerId));
    try {
      return starting.get(deadline.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new HarnessNotStartedException(
          "The pipeline's environment of the type "
              + kind
              + address(environment)
              + " has given no SDK harness within "
              + deadline.toSeconds()
              + " s ("
              + HarnessNotStartedException.OPTION
              + ").");
    } catch (ExecutionException e) {
      throw new HarnessNotStartedException(
          "The pipeline's environment of the type "
              + kind
              + address(environment)
              + " has given no SDK harness: "
              + e.getCause().getMessage());
    } finally {
      starting.cancel(true);
    }
  }

  /** Where this machine was told to find a worker; empty for environments that start their own. */
  private static String address(Environment environment) throws IOException {
    return environment.getUrn().equals(BeamUrns.getUrn(StandardEnvironments.Environments.EXTERNAL))
        ? " at "
            + ExternalPayload.parseFrom(environment.getPayload()).getEndpoint().getUrl()
            + ", as seen from "
            + InetAddress.getLocalHost().getHostName()
            + ","
        : "";
  }

  @Override
  public ServerFactory getServerFactory() {
    return environments.getServerFactory();
  }
}
