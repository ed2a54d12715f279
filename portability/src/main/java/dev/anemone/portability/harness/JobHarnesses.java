// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.harness;

import static org.apache.beam.sdk.util.construction.Environments.ENVIRONMENT_EMBEDDED;

import dev.anemone.beam.options.DeployMode;
import dev.anemone.beam.options.NemoPipelineOptions;
import dev.anemone.portability.options.PortabilityOptions;
import dev.anemone.runtime.spi.TaskContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.model.pipeline.v1.RunnerApi.StandardEnvironments.Environments;
import org.apache.beam.runners.fnexecution.control.StageBundleFactory;
import org.apache.beam.runners.fnexecution.environment.DockerEnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.EnvironmentFactory;
import org.apache.beam.runners.fnexecution.environment.ExternalEnvironmentFactory;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.sdk.fn.server.ServerFactory;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PortablePipelineOptions;
import org.apache.beam.sdk.util.construction.BeamUrns;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Value;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.base.Throwables;

/**
 * The SDK harnesses of a job in this JVM, as many as {@code --sdk_worker_parallelism} says; in an
 * executor on YARN, which runs one task at a time, there is one. Tasks take them in turn. One that
 * has gone away is replaced when its turn comes. Thread-safe.
 */
public final class JobHarnesses implements AutoCloseable {

  private static final String KEY = "sdk-harnesses";

  /**
   * A stage's way to its harness.
   *
   * @param harness to watch
   * @param bundles begins bundles of the stage
   */
  public record OfStage(Harness harness, StageBundleFactory bundles) {}

  private final JobInfo job;
  private final JobArtifacts.Files files;
  private final Map<String, EnvironmentFactory.Provider> environments;
  private final List<Optional<Harness>> slots = new ArrayList<>();
  private final ExecutorService threads;
  private int turn;
  private Optional<HarnessNotStartedException> notStarted = Optional.empty();

  private JobHarnesses(JobInfo job, JobArtifacts.Files files) {
    PipelineOptions options = PipelineOptionsTranslation.fromProto(job.pipelineOptions());
    this.job = withOneHarness(job);
    this.files = files;
    this.threads = Executors.newCachedThreadPool(daemons());
    this.environments =
        environments(job, options, PortabilityOptions.harnessStart(options), this.threads);
    for (int i = 0; i < count(options); i++) {
      slots.add(Optional.empty());
    }
  }

  /** Those of a task's job; they end with the job. */
  public static JobHarnesses of(JobInfo job, TaskContext context) throws Exception {
    return context.shared(KEY, () -> new JobHarnesses(job, context::jobFile));
  }

  private static int count(PipelineOptions options) {
    if (DeployMode.of(options.as(NemoPipelineOptions.class)) == DeployMode.YARN) {
      return 1;
    }
    Integer asked = options.as(PortablePipelineOptions.class).getSdkWorkerParallelism();
    if (asked == null) {
      return 1;
    }
    return asked > 0 ? asked : Math.max(1, Runtime.getRuntime().availableProcessors() - 1);
  }

  /** Beam's factory replaces none of its harnesses, so each of them is a factory's only one. */
  private static JobInfo withOneHarness(JobInfo job) {
    Struct options =
        job.pipelineOptions().toBuilder()
            .putFields("beam:option:sdk_worker_parallelism:v1", text("1"))
            .putFields("beam:option:load_balance_bundles:v1", text("false"))
            .build();
    return JobInfo.create(job.jobId(), job.jobName(), job.retrievalToken(), options);
  }

  private static Value text(String value) {
    return Value.newBuilder().setStringValue(value).build();
  }

  private static Map<String, EnvironmentFactory.Provider> environments(
      JobInfo job, PipelineOptions options, Duration deadline, ExecutorService threads) {
    return Map.of(
        BeamUrns.getUrn(Environments.PROCESS),
        new ProcessEnvironments(HarnessDirectories.of(options, System.getenv()), deadline),
        BeamUrns.getUrn(Environments.EXTERNAL),
        new StartDeadline(new ExternalEnvironments(), "EXTERNAL or LOOPBACK", deadline, threads),
        BeamUrns.getUrn(Environments.DOCKER),
        new StartDeadline(
            new DockerEnvironmentFactory.Provider(options), "DOCKER", deadline, threads),
        ENVIRONMENT_EMBEDDED,
        new StartDeadline(new EmbeddedEnvironments(job), "EMBEDDED", deadline, threads));
  }

  /** Beam's, whose workers are on this machine. */
  private static final class ExternalEnvironments extends ExternalEnvironmentFactory.Provider {
    @Override
    public ServerFactory getServerFactory() {
      return LoopbackServers.create();
    }
  }

  private static ThreadFactory daemons() {
    AtomicInteger made = new AtomicInteger();
    return code -> {
      Thread thread = new Thread(code, "sdk-harnesses-" + made.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Threads that wait for harnesses; they are interrupted when the job ends. */
  public ExecutorService threads() {
    return threads;
  }

  /**
   * Finds a harness for a stage; starts one if there is none.
   *
   * @throws HarnessNotStartedException when an environment of the job gives none; says what it
   *     printed. It is not tried again in this JVM.
   */
  public OfStage take(ExecutableStage stage) throws HarnessNotStartedException {
    Harness harness = next();
    try {
      return new OfStage(harness, harness.forStage(stage));
    } catch (RuntimeException e) {
      if (Throwables.getRootCause(e) instanceof HarnessNotStartedException failure) {
        throw remember(failure);
      }
      throw e;
    }
  }

  private synchronized Harness next() throws HarnessNotStartedException {
    if (notStarted.isPresent()) {
      throw new HarnessNotStartedException(notStarted.get().getMessage());
    }
    turn = (turn + 1) % slots.size();
    Optional<Harness> there = slots.get(turn);
    if (there.isPresent() && there.get().failure().isEmpty()) {
      return there.get();
    }
    there.ifPresent(this::closeInBackground);
    Harness harness = Harness.of(job, environments, files);
    slots.set(turn, Optional.of(harness));
    return harness;
  }

  private void closeInBackground(Harness gone) {
    var unused =
        threads.submit(
            () -> {
              gone.close();
              return null;
            });
  }

  private synchronized HarnessNotStartedException remember(HarnessNotStartedException failure) {
    notStarted = Optional.of(failure);
    return failure;
  }

  @Override
  public synchronized void close() throws Exception {
    try {
      for (Optional<Harness> harness : slots) {
        if (harness.isPresent()) {
          harness.get().close();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
