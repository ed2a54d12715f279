// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.client;

import dev.anemone.ir.IRDag;
import dev.anemone.passes.RunTimePasses;
import dev.anemone.runtime.engine.ClusterApplication;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.InvalidJobException;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngine;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.resource.ProcessDirectories;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.Resizing;
import dev.anemone.runtime.stage.Sampling;
import dev.anemone.runtime.stage.StageGraph;
import dev.anemone.runtime.stage.StagePartitioner;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.stage.StagePlanner;
import dev.anemone.runtime.stage.TransferSeparation;
import dev.anemone.runtime.tez.backend.AttachedJob;
import dev.anemone.runtime.tez.backend.Backend;
import dev.anemone.runtime.tez.backend.JobRecorder;
import dev.anemone.runtime.tez.backend.TezJob;
import dev.anemone.runtime.tez.dag.JobValidator;
import dev.anemone.runtime.tez.dag.StoreLowering;
import dev.anemone.runtime.tez.local.LocalBackend;
import dev.anemone.runtime.tez.local.LocalSessions;
import dev.anemone.runtime.tez.placement.Placement;
import dev.anemone.runtime.tez.pool.ClusterPool;
import dev.anemone.runtime.tez.yarn.ClusterApplications;
import dev.anemone.runtime.tez.yarn.ClusterConfiguration;
import dev.anemone.runtime.tez.yarn.ClusterResources;
import dev.anemone.runtime.tez.yarn.ClusterSecurity;
import dev.anemone.runtime.tez.yarn.YarnBackend;
import dev.anemone.runtime.tez.yarn.YarnSessions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;

/**
 * Runs jobs on Tez sessions, inside this JVM (Tez's local mode) or on YARN: the DAG, its scheduling
 * and its recovery are the same.
 *
 * <p>Sessions are kept for the life of the JVM and shared by all engines, so only the first job
 * pays for starting one. A JVM has one set of local sessions per temporary directory.
 */
public final class TezEngine implements JobEngine {

  private static final Map<Path, LocalSessions> LOCAL_SESSIONS = new HashMap<>();
  private static final AtomicInteger THREADS = new AtomicInteger();
  private static final ExecutorService MONITORS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "anemone-job-" + THREADS.incrementAndGet());
            thread.setDaemon(true);
            return thread;
          });
  private static YarnSessions yarnSessions;

  private final JobEngineOptions options;
  private final Backend backend;

  private TezEngine(JobEngineOptions options, Backend backend) {
    this.options = options;
    this.backend = backend;
  }

  /**
   * An engine where the options want it.
   *
   * @throws IllegalArgumentException when the cluster's configuration is no good, or executors are
   *     too small
   */
  public static TezEngine of(JobEngineOptions options) {
    Backend backend =
        options.deployment() instanceof Deployment.Yarn yarn
            ? new YarnBackend(options, yarn, yarnSessions())
            : new LocalBackend(localSessions(options.tempDirectory()), options);
    return new TezEngine(options, backend);
  }

  /**
   * How many tasks a cluster runs at once with these executors, as far as it has room for them when
   * nothing else runs on it.
   *
   * @throws IllegalArgumentException when the cluster's configuration is no good, or has no room
   *     for an executor
   * @throws IOException when the cluster gives no answer
   */
  public static int slots(Deployment.Yarn deployment) throws IOException {
    return resources(deployment).groups().stream().mapToInt(ClusterResources.Room::most).sum();
  }

  /**
   * How much native memory a job is to be compiled with, in bytes: what it wants, or what the
   * containers have that wait for a job of this program, if that is more and leaves enough heap;
   * and where none wait that serve, more than it wants for jobs of this program that come later.
   *
   * @param wanted bytes that a task takes outside of heap and data plane
   * @param spare whether it may have more than it wants
   */
  public static long nativeBytes(Deployment.Yarn deployment, long wanted, boolean spare) {
    return yarnSessions().nativeBytes(deployment, wanted, spare);
  }

  /**
   * The machines of a cluster that run, as YARN names them.
   *
   * @throws IllegalArgumentException as {@link #slots}
   * @throws IOException when the cluster gives no answer
   */
  public static List<String> hosts(Deployment.Yarn deployment) throws IOException {
    return resources(deployment).hosts();
  }

  private static ClusterResources resources(Deployment.Yarn deployment) throws IOException {
    Configuration cluster =
        ClusterConfiguration.load(deployment.configuration(), deployment.settings());
    ClusterSecurity.logIn(cluster);
    return ClusterResources.query(
        cluster, deployment.executors(), deployment.masterMemoryMb(), deployment.waits().answer());
  }

  /**
   * How many bytes are free in the pool of remote memory that the options name.
   *
   * @throws IOException when it cannot be used
   */
  public static long freePoolBytes(JobEngineOptions options) throws IOException {
    StoreOptions.RemoteMemory pool = options.stores().remoteMemory().orElseThrow();
    return options.deployment() instanceof Deployment.Yarn
        ? ClusterPool.freeBytes(pool)
        : localSessions(options.tempDirectory()).dataPlanes().pool(pool).connection().freeBytes();
  }

  /**
   * Where the engine keeps data elsewhere than the plan says, since where it runs there is no such
   * store.
   *
   * @return a sentence for each edge
   */
  public static List<String> loweredStores(JobEngineOptions options, IRDag dag) {
    return options.deployment() instanceof Deployment.Yarn ? StoreLowering.notes(dag) : List.of();
  }

  /**
   * Begins with what the first job would have to wait for, while that job is still put together. In
   * this JVM that is the start of a session; on a cluster it depends on the job, and nothing is
   * begun. Returns at once.
   */
  public void prepare() {
    backend.prepare();
  }

  @Override
  public RunningJob submit(Job job) {
    JobValidator.validate(job.dag(), backend.stores());
    Placement.of(options.deployment()).validate(job.dag());
    StageGraph graph =
        TransferSeparation.separate(StagePartitioner.partition(Sampling.originals(job.dag())));
    String jobId = UUID.randomUUID().toString();
    List<StagePlan> plans =
        new StagePlanner(graph, Sampling.of(job.dag()))
            .plan(new StagePlan.Job(jobId, job.payload(), "", options.waits()));
    try {
      backend.check(plans);
    } catch (IllegalArgumentException e) {
      throw new InvalidJobException(e.getMessage(), e);
    }
    TezJob running =
        new TezJob(
            job,
            jobId,
            plans,
            runTimePlan(job, plans),
            backend,
            options,
            recorder(job, jobId, plans));
    MONITORS.execute(running::run);
    if (options.deployment() instanceof Deployment.Yarn yarn
        && yarn.lifetime() instanceof Deployment.Lifetime.Detached) {
      awaitSubmitted(running, yarn);
    }
    return running;
  }

  private Optional<JobRecorder> recorder(Job job, String jobId, List<StagePlan> plans) {
    try {
      return JobRecorder.begin(job, jobId, plans, options, backend.fileSystems());
    } catch (IOException e) {
      throw new InvalidJobException(
          "the event log cannot be written into "
              + options.eventLog().orElseThrow()
              + ": "
              + e.getMessage()
              + ". Name a directory that this user can write to, or none.",
          e);
    }
  }

  /** The client may go as soon as its job was submitted, and takes the job's thread with it. */
  private static void awaitSubmitted(TezJob job, Deployment.Yarn deployment) {
    try {
      job.awaitSubmitted(deployment.waits().shipping().plus(deployment.waits().start()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted while job " + job.name() + " was being submitted", e);
    }
  }

  /**
   * A job that was detached, which is followed until it ends. Deletes what it has left on the
   * cluster to be told.
   *
   * @param options with the cluster on which it runs
   * @param applicationId as in {@code application_1700000000000_0001}
   * @param classLoader loads what the job may have thrown
   * @throws IllegalArgumentException when the options are for no cluster, or the id is none
   * @throws IOException when the cluster does not know the application, or gives no answer
   */
  public static RunningJob attach(
      JobEngineOptions options, String applicationId, ClassLoader classLoader) throws IOException {
    if (!(options.deployment() instanceof Deployment.Yarn yarn)) {
      throw new IllegalArgumentException("jobs of " + options.deployment() + " are not detached");
    }
    AttachedJob job =
        new YarnBackend(options, yarn, yarnSessions()).attach(applicationId, classLoader);
    MONITORS.execute(job::run);
    return job;
  }

  /**
   * The applications of a cluster that run jobs of this user, and those that have, as far as the
   * cluster still knows them.
   *
   * @throws IllegalArgumentException when the cluster's configuration is no good
   * @throws IOException when the cluster gives no answer within the deadline
   */
  public static List<ClusterApplication> applications(Deployment.Yarn cluster, Duration deadline)
      throws IOException {
    return ClusterApplications.list(cluster, deadline);
  }

  /**
   * Ends an application of a cluster, and waits for that.
   *
   * @return whether there was one that had not ended
   * @throws IllegalArgumentException when the cluster's configuration is no good, or the id is none
   * @throws IOException when the cluster has not ended it within the deadline
   */
  public static boolean killApplication(Deployment.Yarn cluster, String id, Duration deadline)
      throws IOException {
    return ClusterApplications.kill(cluster, id, deadline);
  }

  /** Empty when no stage waits for run-time passes. */
  private static Optional<RunTimePlan> runTimePlan(Job job, List<StagePlan> plans) {
    if (plans.stream().allMatch(plan -> plan.redrawing().isEmpty())) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new RunTimePlan(
              job.dag(),
              RunTimePasses.names(job.runTimePasses()),
              job.passContext().slots(),
              job.passContext().memoryPerTaskBytes(),
              job.passContext().options(),
              Resizing.resizableVertices(plans)));
    } catch (IllegalArgumentException e) {
      throw new InvalidJobException(e.getMessage(), e);
    }
  }

  private static synchronized YarnSessions yarnSessions() {
    if (yarnSessions == null) {
      yarnSessions = new YarnSessions();
    }
    return yarnSessions;
  }

  private static LocalSessions localSessions(Path tempDirectory) {
    synchronized (LOCAL_SESSIONS) {
      return LOCAL_SESSIONS.computeIfAbsent(
          tempDirectory.toAbsolutePath().normalize(),
          directory -> {
            TezOutputFilter.install();
            try {
              Files.createDirectories(directory);
              return new LocalSessions(ProcessDirectories.create(directory, "anemone-"));
            } catch (IOException e) {
              throw new UncheckedIOException(
                  "cannot make a directory for temporary files in " + directory, e);
            }
          });
    }
  }
}
