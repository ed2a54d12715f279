// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.portability.harness.LoopbackServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.beam.runners.fnexecution.artifact.ArtifactStagingService;
import org.apache.beam.sdk.fn.server.FnService;
import org.apache.beam.sdk.fn.server.GrpcFnServer;

/**
 * A server of Beam's Job API, with the services for staged files and for Java's transforms, on this
 * machine's loopback address. Thread-safe. Closing it cancels what still runs.
 */
public final class JobServer implements AutoCloseable {

  private final GrpcFnServer<JobService> jobs;
  private final GrpcFnServer<ArtifactStagingService> artifacts;
  private final ExpansionServer expansion;

  private JobServer(
      GrpcFnServer<JobService> jobs,
      GrpcFnServer<ArtifactStagingService> artifacts,
      ExpansionServer expansion) {
    this.jobs = jobs;
    this.artifacts = artifacts;
    this.expansion = expansion;
  }

  /**
   * Starts a server.
   *
   * @throws IllegalArgumentException when an option of the jobs is no good; names it
   * @throws IOException when a port is taken, or the directory cannot be made; names it
   */
  @SuppressWarnings("MustBeClosedChecker") // the server that is returned owns them
  public static JobServer start(JobServerSettings settings) throws IOException {
    JobDefaults defaults = JobDefaults.of(settings.options());
    Path directory = Files.createDirectories(settings.artifacts()).toAbsolutePath();
    ArtifactStagingService staging =
        new ArtifactStagingService(
            ArtifactStagingService.beamFilesystemArtifactDestinationProvider(directory.toString()));
    GrpcFnServer<ArtifactStagingService> artifacts =
        listen("artifactPort", settings.artifactPort(), staging);
    ExpansionServer expansion = ExpansionServer.start(settings.expansionPort());
    JobService service =
        new JobService(
            new StagedArtifacts(staging),
            artifacts.getApiServiceDescriptor(),
            settings.limits(),
            defaults,
            new PortableGraphRunner());
    return new JobServer(listen("port", settings.jobPort(), service), artifacts, expansion);
  }

  private static <T extends FnService> GrpcFnServer<T> listen(String option, int port, T service)
      throws IOException {
    try {
      return GrpcFnServer.allocatePortAndCreateFor(service, LoopbackServers.at(port));
    } catch (IOException e) {
      throw taken(option, port, e);
    }
  }

  /** Says which port is no good. */
  static IOException taken(String option, int port, IOException cause) {
    return new IOException(
        "--"
            + option
            + "="
            + port
            + ": cannot listen there ("
            + cause.getMessage()
            + "). Give a port that nobody has, or 0 for any.",
        cause);
  }

  /** Where jobs are submitted, as {@code host:port}. */
  public String jobEndpoint() {
    return jobs.getApiServiceDescriptor().getUrl();
  }

  /** Where files are staged, as {@code host:port}. */
  public String artifactEndpoint() {
    return artifacts.getApiServiceDescriptor().getUrl();
  }

  /** Where Java's transforms are expanded, as {@code host:port}. */
  public String expansionEndpoint() {
    return expansion.endpoint();
  }

  /** How many jobs are kept: those that are prepared, that run, and that have ended. */
  int keptJobs() {
    return jobs.getService().size();
  }

  @Override
  public void close() throws Exception {
    try (expansion;
        artifacts;
        jobs) {
      // Closed in this order: jobs first.
    }
  }
}
