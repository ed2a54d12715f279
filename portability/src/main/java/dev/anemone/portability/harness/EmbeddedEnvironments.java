// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.runners.fnexecution.control.ControlClientPool;
import org.apache.beam.runners.fnexecution.control.FnApiControlClientPoolService;
import org.apache.beam.runners.fnexecution.environment.EmbeddedEnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.EnvironmentFactory;
import org.apache.beam.runners.fnexecution.logging.GrpcLoggingService;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.runners.fnexecution.provisioning.StaticGrpcProvisionService;
import org.apache.beam.sdk.fn.IdGenerator;
import org.apache.beam.sdk.fn.server.GrpcFnServer;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.SdkHarnessOptions;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;

/**
 * Harnesses of Java in this JVM. They log as all else in it does: by way of the Fn API each would
 * take over the JVM's {@code java.util.logging}, and report the end of that stream as its failure.
 * Stateless.
 *
 * @param job says the options of the pipeline
 */
record EmbeddedEnvironments(JobInfo job) implements EnvironmentFactory.Provider {

  /** Loggers are collected, with their levels, if nobody has them. */
  private static final Logger LEFT_CHANNELS =
      Logger.getLogger(
          "org.apache.beam.vendor.grpc.v1p69p0.io.grpc.internal.ManagedChannelOrphanWrapper");

  static {
    // Beam's harness leaves its channels, which have no sockets, to the garbage collector, and gRPC
    // would report each of them then.
    LEFT_CHANNELS.setLevel(Level.OFF);
  }

  @Override
  public EnvironmentFactory createEnvironmentFactory(
      GrpcFnServer<FnApiControlClientPoolService> control,
      GrpcFnServer<GrpcLoggingService> logging,
      GrpcFnServer<ArtifactRetrievalService> retrieval,
      GrpcFnServer<StaticGrpcProvisionService> provisioning,
      ControlClientPool clients,
      IdGenerator ids) {
    return provider()
        .createEnvironmentFactory(control, logging, retrieval, provisioning, clients, ids);
  }

  @Override
  public ServerFactory getServerFactory() {
    return provider().getServerFactory();
  }

  /** With options of its own: a harness that ends takes along the threads that they have. */
  private EmbeddedEnvironmentFactory.Provider provider() {
    PipelineOptions options = PipelineOptionsTranslation.fromProto(job.pipelineOptions());
    options.as(SdkHarnessOptions.class).setEnableLogViaFnApi(false);
    return new EmbeddedEnvironmentFactory.Provider(options);
  }
}
