// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.io.IOException;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage.MessageImportance;
import org.apache.beam.model.jobmanagement.v1.JobServiceGrpc;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.fn.server.FnService;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.sdk.util.construction.graph.PipelineValidator;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Status;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.StatusRuntimeException;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.StreamObserver;

/**
 * Beam's Job API. What it keeps is bounded: jobs that are prepared and not run expire, and of jobs
 * that have ended the last ones are there, without their pipelines; the files that were staged for
 * either are deleted. Thread-safe. Closing it cancels what still runs.
 */
final class JobService extends JobServiceGrpc.JobServiceImplBase implements FnService {

  private static final String FILES_TO_STAGE = "beam:option:files_to_stage:v1";

  private final StagedArtifacts artifacts;
  private final ApiServiceDescriptor artifactEndpoint;
  private final PreparedJobs prepared;
  private final SubmittedJobs jobs;
  private final JobDefaults defaults;
  private final SubmittedJob.Runner runner;

  /**
   * No job yet.
   *
   * @param artifactEndpoint where programs stage the files of their pipelines
   * @param limits of what is kept
   * @param defaults options of all jobs
   */
  JobService(
      StagedArtifacts artifacts,
      ApiServiceDescriptor artifactEndpoint,
      JobLimits limits,
      JobDefaults defaults,
      SubmittedJob.Runner runner) {
    this.artifacts = artifacts;
    this.artifactEndpoint = artifactEndpoint;
    this.prepared = new PreparedJobs(limits.preparedLifetime(), artifacts::remove);
    this.jobs = new SubmittedJobs(limits.endedJobs());
    this.defaults = defaults;
    this.runner = runner;
  }

  @Override
  public void prepare(
      JobApi.PrepareJobRequest request, StreamObserver<JobApi.PrepareJobResponse> program) {
    answer(
        program,
        () -> {
          String id = request.getJobName() + "_" + UUID.randomUUID();
          artifacts.expect(id, request.getPipeline());
          prepared.add(
              new PreparedJobs.Prepared(id, request.getPipeline(), request.getPipelineOptions()));
          return JobApi.PrepareJobResponse.newBuilder()
              .setPreparationId(id)
              .setArtifactStagingEndpoint(artifactEndpoint)
              .setStagingSessionToken(id)
              .build();
        });
  }

  @Override
  public void run(JobApi.RunJobRequest request, StreamObserver<JobApi.RunJobResponse> program) {
    answer(
        program,
        () -> {
          String token = request.getPreparationId();
          PreparedJobs.Prepared taken =
              prepared
                  .take(token)
                  .orElseThrow(
                      () ->
                          notFound(
                              "No job '"
                                  + token
                                  + "' is prepared: it has been run, or has expired"
                                  + " (--preparedJobSeconds). Prepare it again."));
          SubmittedJob job;
          try {
            job = submit(taken, request.getRetrievalToken());
          } catch (IOException | RuntimeException e) {
            artifacts.remove(token);
            throw e;
          }
          start(job, token);
          return JobApi.RunJobResponse.newBuilder().setJobId(job.id()).build();
        });
  }

  private SubmittedJob submit(PreparedJobs.Prepared taken, String retrievalToken)
      throws IOException {
    PipelineValidator.validate(taken.pipeline());
    Pipeline pipeline = artifacts.staged(taken.pipeline(), taken.id());
    // To the runner these are jars for the class path; Python has staged them as artifacts already.
    Struct options = defaults.in(taken.options().toBuilder().removeFields(FILES_TO_STAGE).build());
    String name = PipelineOptionsTranslation.fromProto(options).getJobName();
    String id = name + "_" + UUID.randomUUID();
    SubmittedJob job =
        new SubmittedJob(pipeline, JobInfo.create(id, name, retrievalToken, options));
    jobs.add(job);
    return job;
  }

  private void start(SubmittedJob job, String token) {
    SdkVersions.warnings(job.pipeline().orElseThrow())
        .forEach(warning -> job.say(MessageImportance.JOB_MESSAGE_WARNING, warning));
    job.start(
        runner,
        () -> {
          artifacts.remove(token);
          jobs.end(job);
        });
  }

  @Override
  public void getJobs(
      JobApi.GetJobsRequest request, StreamObserver<JobApi.GetJobsResponse> program) {
    answer(
        program,
        () ->
            JobApi.GetJobsResponse.newBuilder()
                .addAllJobInfo(jobs.all().stream().map(JobService::info).toList())
                .build());
  }

  private static JobApi.JobInfo info(SubmittedJob job) {
    return JobApi.JobInfo.newBuilder()
        .setJobId(job.id())
        .setJobName(job.name())
        .setPipelineOptions(job.options())
        .setState(job.state().getState())
        .build();
  }

  @Override
  public void getState(
      JobApi.GetJobStateRequest request, StreamObserver<JobApi.JobStateEvent> program) {
    answer(program, () -> job(request.getJobId()).state());
  }

  @Override
  public void getPipeline(
      JobApi.GetJobPipelineRequest request, StreamObserver<JobApi.GetJobPipelineResponse> program) {
    answer(
        program,
        () ->
            JobApi.GetJobPipelineResponse.newBuilder()
                .setPipeline(
                    job(request.getJobId())
                        .pipeline()
                        .orElseThrow(
                            () ->
                                notFound(
                                    "The job '"
                                        + request.getJobId()
                                        + "' has ended, and its pipeline is not kept.")))
                .build());
  }

  @Override
  public void cancel(
      JobApi.CancelJobRequest request, StreamObserver<JobApi.CancelJobResponse> program) {
    answer(
        program,
        () -> {
          SubmittedJob job = job(request.getJobId());
          job.cancel();
          return JobApi.CancelJobResponse.newBuilder().setState(job.state().getState()).build();
        });
  }

  @Override
  public void getJobMetrics(
      JobApi.GetJobMetricsRequest request, StreamObserver<JobApi.GetJobMetricsResponse> program) {
    answer(
        program,
        () ->
            JobApi.GetJobMetricsResponse.newBuilder()
                .setMetrics(job(request.getJobId()).metrics())
                .build());
  }

  @Override
  public void getStateStream(
      JobApi.GetJobStateRequest request, StreamObserver<JobApi.JobStateEvent> program) {
    follow(program, request.getJobId(), job -> JobListeners.states(job, program));
  }

  @Override
  public void getMessageStream(
      JobApi.JobMessagesRequest request, StreamObserver<JobApi.JobMessagesResponse> program) {
    follow(program, request.getJobId(), job -> JobListeners.messages(job, program));
  }

  @Override
  public void describePipelineOptions(
      JobApi.DescribePipelineOptionsRequest request,
      StreamObserver<JobApi.DescribePipelineOptionsResponse> program) {
    answer(
        program,
        () ->
            JobApi.DescribePipelineOptionsResponse.newBuilder()
                .addAllOptions(
                    PipelineOptionsFactory.describe(PipelineOptionsFactory.getRegisteredOptions()))
                .build());
  }

  private SubmittedJob job(String id) {
    return jobs.find(id)
        .orElseThrow(
            () ->
                notFound(
                    "There is no job '"
                        + id
                        + "': either it never was here, or others have ended since"
                        + " (--endedJobs)."));
  }

  private static StatusRuntimeException notFound(String what) {
    return Status.NOT_FOUND.withDescription(what).asRuntimeException();
  }

  private interface Answer<T> {
    T get() throws Exception;
  }

  private static <T> void answer(StreamObserver<T> program, Answer<T> answer) {
    T response;
    try {
      response = answer.get();
    } catch (Exception e) {
      program.onError(status(e));
      return;
    }
    program.onNext(response);
    program.onCompleted();
  }

  private static StatusRuntimeException status(Exception failure) {
    if (failure instanceof StatusRuntimeException known) {
      return known;
    }
    Status status =
        failure instanceof IllegalArgumentException ? Status.INVALID_ARGUMENT : Status.INTERNAL;
    return status.withDescription(failure.getMessage()).withCause(failure).asRuntimeException();
  }

  private void follow(StreamObserver<?> program, String id, Consumer<SubmittedJob> listen) {
    SubmittedJob job;
    try {
      job = job(id);
    } catch (StatusRuntimeException e) {
      program.onError(e);
      return;
    }
    listen.accept(job);
  }

  /** How many jobs are kept: those that are prepared, that run, and that have ended. */
  int size() {
    return prepared.size() + jobs.all().size();
  }

  @Override
  public void close() {
    prepared.close();
    jobs.all().forEach(SubmittedJob::cancel);
  }
}
