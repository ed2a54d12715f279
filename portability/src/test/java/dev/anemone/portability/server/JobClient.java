// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import dev.anemone.beam.NemoRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.model.jobmanagement.v1.ArtifactStagingServiceGrpc;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessagesResponse;
import org.apache.beam.model.jobmanagement.v1.JobServiceGrpc;
import org.apache.beam.model.jobmanagement.v1.JobServiceGrpc.JobServiceBlockingStub;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactFilePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactInformation;
import org.apache.beam.model.pipeline.v1.RunnerApi.ArtifactStagingToRolePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.Environment;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.artifact.ArtifactRetrievalService;
import org.apache.beam.runners.fnexecution.artifact.ArtifactStagingService;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ManagedChannel;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ManagedChannelBuilder;

/** A program that submits pipelines by the Job API, as SDKs do. */
final class JobClient implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final ManagedChannel jobChannel;
  private final ManagedChannel artifactChannel;

  JobClient(JobServer server) {
    jobChannel = channel(server.jobEndpoint());
    artifactChannel = channel(server.artifactEndpoint());
  }

  private static ManagedChannel channel(String endpoint) {
    return ManagedChannelBuilder.forTarget(endpoint).usePlaintext().build();
  }

  JobServiceBlockingStub jobs() {
    return JobServiceGrpc.newBlockingStub(jobChannel)
        .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Prepares a job, and gives the id by which it is run. */
  String prepare(Pipeline pipeline) {
    PipelineOptions options = PipelineOptionsFactory.create();
    options.setRunner(NemoRunner.class);
    return jobs()
        .prepare(
            JobApi.PrepareJobRequest.newBuilder()
                .setJobName("job")
                .setPipeline(pipeline)
                .setPipelineOptions(PipelineOptionsTranslation.toProto(options))
                .build())
        .getPreparationId();
  }

  /** Stages the files of a pipeline that is prepared. */
  void stage(String preparation) throws Exception {
    ArtifactStagingService.offer(
        new ArtifactRetrievalService(),
        ArtifactStagingServiceGrpc.newStub(artifactChannel),
        preparation);
  }

  /** Runs a job that is prepared, and gives its id. */
  String run(String preparation) {
    return jobs()
        .run(JobApi.RunJobRequest.newBuilder().setPreparationId(preparation).build())
        .getJobId();
  }

  /** All that is told of a job, until it ends. */
  List<JobMessagesResponse> messages(String job) {
    Iterator<JobMessagesResponse> stream =
        jobs().getMessageStream(JobApi.JobMessagesRequest.newBuilder().setJobId(job).build());
    List<JobMessagesResponse> messages = new ArrayList<>();
    stream.forEachRemaining(messages::add);
    return messages;
  }

  /** A pipeline whose environments need a file, of which it says that it has a hash. */
  static Pipeline withFile(Pipeline pipeline, Path file, String sha256) {
    Pipeline.Builder changed = pipeline.toBuilder();
    ArtifactInformation artifact =
        ArtifactInformation.newBuilder()
            .setTypeUrn("beam:artifact:type:file:v1")
            .setTypePayload(
                ArtifactFilePayload.newBuilder()
                    .setPath(file.toString())
                    .setSha256(sha256)
                    .build()
                    .toByteString())
            .setRoleUrn("beam:artifact:role:staging_to:v1")
            .setRolePayload(
                ArtifactStagingToRolePayload.newBuilder()
                    .setStagedName("code.jar")
                    .build()
                    .toByteString())
            .build();
    pipeline
        .getComponents()
        .getEnvironmentsMap()
        .forEach(
            (id, environment) ->
                changed
                    .getComponentsBuilder()
                    .putEnvironments(
                        id, environment.toBuilder().addDependencies(artifact).build()));
    return changed.build();
  }

  /** A pipeline with something large that nobody needs. */
  static Pipeline withBallast(Pipeline pipeline, int bytes) {
    Pipeline.Builder changed = pipeline.toBuilder();
    changed
        .getComponentsBuilder()
        .putEnvironments(
            "ballast",
            Environment.newBuilder()
                .setUrn("beam:env:external:v1")
                .setPayload(ByteString.copyFrom(new byte[bytes]))
                .build());
    return changed.build();
  }

  /** How many files there are below a directory. */
  static long files(Path directory) throws Exception {
    try (var files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  @Override
  public void close() throws InterruptedException {
    jobChannel.shutdownNow().awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    artifactChannel.shutdownNow().awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }
}
