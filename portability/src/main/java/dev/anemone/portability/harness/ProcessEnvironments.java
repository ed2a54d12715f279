// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import dev.anemone.runtime.resource.FileTrees;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.ProcessPayload;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.runners.fnexecution.control.ControlClientPool;
import org.apache.beam.runners.fnexecution.control.FnApiControlClientPoolService;
import org.apache.beam.runners.fnexecution.control.InstructionRequestHandler;
import org.apache.beam.runners.fnexecution.environment.EnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.RemoteEnvironment;
import org.apache.beam.runners.fnexecution.logging.GrpcLoggingService;
import org.apache.beam.runners.fnexecution.provisioning.StaticGrpcProvisionService;
import org.apache.beam.sdk.fn.IdGenerator;
import org.apache.beam.sdk.fn.server.GrpcFnServer;
import org.apache.beam.sdk.fn.server.ServerFactory;

/**
 * Harnesses that are processes of this machine. Unlike Beam's, what they print is not lost: it goes
 * to the log, and into the error when one of them does not start. Stateless.
 *
 * @param directories of harnesses
 * @param deadline how long a process has until its harness is there
 */
record ProcessEnvironments(HarnessDirectories directories, Duration deadline)
    implements EnvironmentFactory.Provider {

  /** Between two looks, which go on as long as the start of a harness may take. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  @Override
  public EnvironmentFactory createEnvironmentFactory(
      GrpcFnServer<FnApiControlClientPoolService> control,
      GrpcFnServer<GrpcLoggingService> logging,
      GrpcFnServer<ArtifactRetrievalService> retrieval,
      GrpcFnServer<StaticGrpcProvisionService> provisioning,
      ControlClientPool clients,
      IdGenerator ids) {
    String provisionEndpoint = provisioning.getApiServiceDescriptor().getUrl();
    return (environment, workerId) ->
        start(environment, workerId, provisionEndpoint, clients.getSource());
  }

  @Override
  public ServerFactory getServerFactory() {
    return LoopbackServers.create();
  }

  private RemoteEnvironment start(
      Environment environment,
      String workerId,
      String provisionEndpoint,
      ControlClientPool.Source clients)
      throws Exception {
    ProcessPayload payload = ProcessPayload.parseFrom(environment.getPayload());
    List<String> command = new ArrayList<>();
    command.add(payload.getCommand());
    command.add("--id=" + workerId);
    command.add("--provision_endpoint=" + provisionEndpoint);
    Path directory = directories.create();
    command.add("--semi_persist_dir=" + directory);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .put(HarnessDirectories.ENVIRONMENTS, directories.environments().toString());
    builder.environment().putAll(payload.getEnvMap());
    HarnessProcess process = started(builder, environment, workerId, directory);
    try {
      return process.connected(awaitClient(process, workerId, clients));
    } catch (Exception e) {
      process.close();
      throw e;
    }
  }

  private static HarnessProcess started(
      ProcessBuilder builder, Environment environment, String workerId, Path directory)
      throws IOException {
    try {
      return HarnessProcess.of(builder.start(), environment, workerId, directory);
    } catch (IOException e) {
      FileTrees.delete(directory);
      throw new HarnessNotStartedException(
          "The pipeline's environment has the command "
              + builder.command().get(0)
              + ", which cannot be started: "
              + e.getMessage()
              + ". Give --environment_option=process_command=COMMAND, an executable that starts an"
              + " SDK harness.");
    }
  }

  private InstructionRequestHandler awaitClient(
      HarnessProcess process, String workerId, ControlClientPool.Source clients) throws Exception {
    long end = System.nanoTime() + deadline.toNanos();
    while (true) {
      try {
        return clients.take(workerId, LOOK_AGAIN);
      } catch (TimeoutException notYet) {
        if (!process.isAlive()) {
          throw new HarnessNotStartedException(
              "The command of the pipeline's environment "
                  + process.fate()
                  + " before its SDK harness was there."
                  + process.output());
        }
        if (System.nanoTime() - end > 0) {
          throw new HarnessNotStartedException(
              "The command of the pipeline's environment has given no SDK harness within "
                  + deadline.toSeconds()
                  + " s ("
                  + HarnessNotStartedException.OPTION
                  + ")."
                  + process.output());
        }
      }
    }
  }
}
