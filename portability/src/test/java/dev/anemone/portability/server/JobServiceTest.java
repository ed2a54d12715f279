// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.anemone.beam.NemoRunner;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage.MessageImportance;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessagesResponse;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.IsBounded;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.PortablePipelineOptions;
import org.apache.beam.sdk.transforms.Impulse;
import org.apache.beam.sdk.transforms.MapElements;
import org.apache.beam.sdk.transforms.SimpleFunction;
import org.apache.beam.sdk.util.ReleaseInfo;
import org.apache.beam.sdk.util.construction.Environments;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.apache.beam.sdk.util.construction.SdkComponents;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.hash.Hashing;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job server keeps of jobs, and what it tells of them. */
@Tag("slow")
class JobServiceTest {

  private static final int ENDED_JOBS = 2;
  private static final int BALLAST_BYTES = 8 << 20;
  private static final int MANY = 40;
  private static final Duration PREPARED = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path directory;

  private JobServer server;
  private JobClient client;

  /** Takes the length. */
  private static final class Length extends SimpleFunction<byte[], Integer> {
    @Override
    public Integer apply(byte[] bytes) {
      return bytes.length;
    }
  }

  @BeforeEach
  void start() throws Exception {
    start(Duration.ofHours(1));
  }

  private void start(Duration preparedLifetime) throws Exception {
    stop();
    server =
        JobServer.start(
            new JobServerSettings(
                0, 0, 0, artifacts(), new JobLimits(preparedLifetime, ENDED_JOBS), List.of()));
    client = new JobClient(server);
  }

  @AfterEach
  void stop() throws Exception {
    if (server != null) {
      client.close();
      server.close();
    }
  }

  private Path artifacts() {
    return directory.resolve("artifacts");
  }

  /** Whose function runs in the JVM of its task. */
  private static RunnerApi.Pipeline pipeline() {
    PortablePipelineOptions options =
        PipelineOptionsFactory.create().as(PortablePipelineOptions.class);
    options.setRunner(NemoRunner.class);
    options.setDefaultEnvironmentType(Environments.ENVIRONMENT_EMBEDDED);
    options.setFilesToStage(List.of());
    Pipeline pipeline = Pipeline.create(options);
    pipeline.apply(Impulse.create()).apply("lengths", MapElements.via(new Length()));
    return PipelineTranslation.toProto(pipeline, SdkComponents.create(options));
  }

  /** One that is refused when it runs. */
  private static RunnerApi.Pipeline refused() {
    RunnerApi.Pipeline.Builder changed = pipeline().toBuilder();
    changed
        .getComponents()
        .getPcollectionsMap()
        .forEach(
            (id, collection) ->
                changed
                    .getComponentsBuilder()
                    .putPcollections(
                        id, collection.toBuilder().setIsBounded(IsBounded.Enum.UNBOUNDED).build()));
    return changed.build();
  }

  private static String sha256(String text) {
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
  }

  private String run(RunnerApi.Pipeline pipeline) {
    String job = client.run(client.prepare(pipeline));
    client.messages(job);
    return job;
  }

  private List<JobApi.JobInfo> jobs() {
    return client.jobs().getJobs(JobApi.GetJobsRequest.getDefaultInstance()).getJobInfoList();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  @Test
  void whoComesWhenAJobHasEndedIsToldAllOfIt() {
    String job = run(refused());

    List<JobMessagesResponse> told = client.messages(job);

    assertThat(told)
        .extracting(response -> response.getStateResponse().getState())
        .startsWith(JobState.Enum.STOPPED, JobState.Enum.STARTING, JobState.Enum.RUNNING)
        .endsWith(JobState.Enum.FAILED);
    assertThat(told)
        .extracting(JobMessagesResponse::getMessageResponse)
        .filteredOn(m -> m.getImportance() == MessageImportance.JOB_MESSAGE_ERROR)
        .singleElement()
        .satisfies(message -> assertThat(message.getMessageText()).contains("is unbounded"));
    assertThat(
            client
                .jobs()
                .getStateStream(JobApi.GetJobStateRequest.newBuilder().setJobId(job).build()))
        .toIterable()
        .extracting(JobApi.JobStateEvent::getState)
        .endsWith(JobState.Enum.FAILED);
  }

  @Test
  void ofJobsThatHaveEndedTheLastOnesAreKeptWithoutTheirPipelines() throws Exception {
    String first = run(refused());
    String second = run(pipeline());
    String third = run(refused());
    await(() -> jobs().size() == ENDED_JOBS);

    assertThat(jobs()).extracting(JobApi.JobInfo::getJobId).containsExactly(second, third);
    assertThat(jobs())
        .extracting(JobApi.JobInfo::getState)
        .containsExactly(JobState.Enum.DONE, JobState.Enum.FAILED);
    JobApi.GetJobMetricsResponse metrics =
        client
            .jobs()
            .getJobMetrics(JobApi.GetJobMetricsRequest.newBuilder().setJobId(second).build());
    assertThat(metrics.getMetrics().getCommittedList()).isNotEmpty();
    assertThatThrownBy(
            () ->
                client
                    .jobs()
                    .getPipeline(
                        JobApi.GetJobPipelineRequest.newBuilder().setJobId(second).build()))
        .hasMessageContaining("NOT_FOUND")
        .hasMessageContaining("has ended");
    assertThatThrownBy(() -> client.messages(first))
        .hasMessageContaining("NOT_FOUND")
        .hasMessageContaining("There is no job '" + first)
        .hasMessageContaining("--endedJobs");
  }

  @Test
  void aJobThatIsPreparedAndNotRunExpiresWithItsFiles() throws Exception {
    start(PREPARED);
    Path file = Files.writeString(directory.resolve("code"), "code");
    String preparation = client.prepare(JobClient.withFile(pipeline(), file, ""));
    client.stage(preparation);

    await(() -> server.keptJobs() == 0);

    assertThatThrownBy(() -> client.run(preparation))
        .hasMessageContaining("NOT_FOUND")
        .hasMessageContaining("--preparedJobSeconds");
    awaitNoFiles();
  }

  private void awaitNoFiles() throws InterruptedException {
    await(
        () -> {
          try {
            return JobClient.files(artifacts()) == 0;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void filesAreDeletedWhenTheirJobHasEnded() throws Exception {
    Path file = Files.writeString(directory.resolve("code"), "code");
    String preparation = client.prepare(JobClient.withFile(pipeline(), file, sha256("code")));
    client.stage(preparation);
    assertThat(JobClient.files(artifacts())).isPositive();

    List<JobMessagesResponse> told = client.messages(client.run(preparation));

    assertThat(told.get(told.size() - 1).getStateResponse().getState())
        .isEqualTo(JobState.Enum.DONE);
    awaitNoFiles();
  }

  @Test
  void aFileThatIsNotWhatWasDeclaredIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("code"), "code");
    String declared = sha256("other");
    String preparation = client.prepare(JobClient.withFile(pipeline(), file, declared));
    client.stage(preparation);

    assertThatThrownBy(() -> client.run(preparation))
        .hasMessageContaining("INVALID_ARGUMENT")
        .hasMessageContaining("'code.jar'")
        .hasMessageContaining(declared)
        .hasMessageContaining(sha256("code"));
    awaitNoFiles();
  }

  @Test
  void filesThatWereNotStagedAreMissed() throws Exception {
    Path file = Files.writeString(directory.resolve("code"), "code");
    String preparation = client.prepare(JobClient.withFile(pipeline(), file, ""));

    assertThatThrownBy(() -> client.run(preparation))
        .hasMessageContaining("INVALID_ARGUMENT")
        .hasMessageContaining("files that were not staged");
  }

  @Test
  void anSdkOfAnotherReleaseIsWarnedOf() {
    RunnerApi.Pipeline.Builder changed = pipeline().toBuilder();
    changed
        .getComponents()
        .getEnvironmentsMap()
        .forEach(
            (id, environment) ->
                changed
                    .getComponentsBuilder()
                    .putEnvironments(
                        id,
                        environment.toBuilder()
                            .addCapabilities(
                                "beam:version:sdk_base:apache/beam_python3.11_sdk:2.50.0")
                            .build()));

    assertThat(warnings(changed.build()))
        .singleElement()
        .asString()
        .contains("apache/beam_python3.11_sdk:2.50.0")
        .contains("this runner of Beam " + ReleaseInfo.getReleaseInfo().getVersion());
    assertThat(warnings(pipeline())).isEmpty();
  }

  private List<String> warnings(RunnerApi.Pipeline pipeline) {
    return client.messages(client.run(client.prepare(pipeline))).stream()
        .map(JobMessagesResponse::getMessageResponse)
        .filter(m -> m.getImportance() == MessageImportance.JOB_MESSAGE_WARNING)
        .map(JobApi.JobMessage::getMessageText)
        .toList();
  }

  @Test
  void theHeapDoesNotGrowWithJobs() throws Exception {
    start(PREPARED);
    RunnerApi.Pipeline large = JobClient.withBallast(refused(), BALLAST_BYTES);
    run(large);
    long before = usedHeap();

    for (int i = 0; i < MANY; i++) {
      run(large);
      client.prepare(large);
    }
    await(() -> server.keptJobs() == ENDED_JOBS);

    assertThat(usedHeap() - before).isLessThan((long) MANY * BALLAST_BYTES / 4);
  }

  @Test
  void limitsThatKeepNothingAreRefused() {
    assertThatThrownBy(() -> new JobLimits(Duration.ZERO, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--preparedJobSeconds=0");
    assertThatThrownBy(() -> new JobLimits(PREPARED, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--endedJobs=0");
  }
}
