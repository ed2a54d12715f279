// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.yarn;

import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.Deployment.Lifetime.Detached;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.StoreOptions;
import dev.anemone.runtime.engine.TaskNativeMemory;
import dev.anemone.runtime.event.EventLogWriter;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.backend.AttachedJob;
import dev.anemone.runtime.tez.backend.Backend;
import dev.anemone.runtime.tez.backend.RunningJobs;
import dev.anemone.runtime.tez.backend.TezSession;
import dev.anemone.runtime.tez.container.ContainerSizes;
import dev.anemone.runtime.tez.dag.StoreLowering;
import dev.anemone.runtime.tez.directory.HadoopJobDirectory;
import dev.anemone.runtime.tez.history.FollowedHistory;
import dev.anemone.runtime.tez.history.HistoryFeed;
import dev.anemone.runtime.tez.history.MasterHistory;
import dev.anemone.runtime.tez.history.MasterStory;
import dev.anemone.runtime.tez.job.ContainerScopes;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.local.LocalBackend;
import dev.anemone.runtime.tez.pool.ClusterPool;
import dev.anemone.runtime.transfer.TaskBudget;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.TezConfiguration;

/** Runs jobs on YARN, in applications that are kept for later jobs of this client. */
public final class YarnBackend implements Backend {

  private static final int MASTER_CORES = 1;

  private final JobEngineOptions options;
  private final Deployment.Yarn deployment;
  private final Configuration cluster;
  private final RunningJobs detachedJobs = new RunningJobs();
  private final YarnSessions sessions;

  /**
   * A backend.
   *
   * @throws IllegalArgumentException when the cluster's configuration is no good, executors are too
   *     small, or a secure cluster does not know the user
   */
  public YarnBackend(JobEngineOptions options, Deployment.Yarn deployment, YarnSessions sessions) {
    this.options = options;
    this.deployment = deployment;
    this.cluster = ClusterConfiguration.load(deployment.configuration(), deployment.settings());
    ClusterSecurity.logIn(cluster);
    this.sessions = sessions;
    // What does not fit is said before there is a job.
    sizes(0);
  }

  /**
   * The containers of tasks. Pages are counted alike in all of them, so the smallest decides.
   *
   * @param nativeBytes that a task takes outside of heap and data plane
   */
  private ContainerSizes sizes(long nativeBytes) {
    long copies = options.stores().remoteMemory().map(pool -> pool.caches().pageBytes()).orElse(0L);
    return deployment.executors().stream()
        .map(
            group ->
                ContainerSizes.of(
                        group.memoryMb(),
                        group.cores(),
                        nativeBytes,
                        Optional.of(options.offHeapBytes()))
                    .withDirect(copies, "copies of the memory pool's pages"))
        .min(Comparator.comparingInt(ContainerSizes::memoryMb))
        .orElseThrow();
  }

  @Override
  public Set<DataStore> stores() {
    Set<DataStore> stores = EnumSet.of(DataStore.LOCAL_FILE);
    stores.addAll(StoreLowering.LOWERED);
    options.stores().remoteMemory().ifPresent(pool -> stores.add(DataStore.REMOTE_MEMORY));
    return stores;
  }

  @Override
  public void check(List<StagePlan> plans) {
    TaskBudget budget = ContainerScopes.budget(options.offHeapBytes());
    plans.forEach(budget::requireEnough);
  }

  @Override
  public Configuration fileSystems() {
    return cluster;
  }

  /** Containers tell of their memory to the application master. */
  @Override
  public Map<String, JobProgress.MemoryUse> memoryInUse() {
    return Map.of();
  }

  /** A detached job goes on without its client. */
  @Override
  public RunningJobs runningJobs() {
    return deployment.lifetime() instanceof Detached ? detachedJobs : sessions.runningJobs();
  }

  @Override
  public TezSession borrow(String jobId, Job job) throws IOException, InterruptedException {
    YarnSessions.Settings settings =
        new YarnSessions.Settings(
            deployment,
            options.slots(),
            LocalBackend.slowTaskThreshold(job.dag()),
            sizes(Math.max(options.nativeBytes(), TaskNativeMemory.boundOf(job.dag()))),
            ContainerSizes.ofMaster(deployment.masterMemoryMb(), MASTER_CORES),
            options.tempDirectory(),
            options.stores().remoteMemory(),
            options.transport());
    if (deployment.lifetime() instanceof Detached detached) {
      return new DetachedApplication(
          AttachedJob.applicationName(job.name(), jobId),
          YarnSessions.application(settings, cluster),
          detached.deadline());
    }
    return sessions.borrow(settings, cluster);
  }

  @Override
  public void giveBack(TezSession session) throws IOException {
    if (session instanceof YarnSession attached) {
      sessions.giveBack(attached);
    } else {
      session.stop();
    }
  }

  @Override
  public void discard(TezSession session) throws IOException {
    if (session instanceof YarnSession attached) {
      sessions.discard(attached);
    } else {
      session.stop();
    }
  }

  @Override
  public Place open(String jobId, Job job, List<StagePlan> plans, TezSession session)
      throws IOException {
    // With the application's other files, so that it goes with them when the client is gone;
    // what a detached job tells has to outlive its application.
    Path directory =
        session instanceof YarnSession attached
            ? new Path(attached.stagingDirectory(), "job-" + jobId)
            : detachedDirectory(cluster, jobId);
    HadoopJobDirectory files = HadoopJobDirectory.of(directory.toUri(), cluster);
    files.create();
    new JobFiles(files).give(job.files());
    return new YarnPlace(directory.toUri(), files, jobId, options.stores().remoteMemory());
  }

  /** Where a detached job says what becomes of it. */
  private static Path detachedDirectory(Configuration cluster, String jobId) throws IOException {
    return new Path(YarnSessions.home(cluster), "detached/" + jobId);
  }

  /**
   * A job that was detached.
   *
   * @throws IOException when the cluster does not know the application, or gives no answer
   */
  public AttachedJob attach(String applicationId, ClassLoader classLoader) throws IOException {
    ApplicationId application = ApplicationId.fromString(applicationId);
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(cluster);
      yarn.start();
      ApplicationReport report = yarn.getApplicationReport(application);
      HadoopJobDirectory directory =
          HadoopJobDirectory.of(
              detachedDirectory(cluster, AttachedJob.jobId(report.getName())).toUri(), cluster);
      if (!directory.exists()) {
        throw new IOException(
            "there is nothing to be told of "
                + applicationId
                + ": it was attached before, or is not a detached job; its state is "
                + report.getYarnApplicationState()
                + ", "
                + report.getFinalApplicationStatus());
      }
      return new AttachedJob(
          report.getName(),
          new TezConfiguration(cluster),
          application,
          directory,
          MasterStory.beginning(new JobFiles(directory)),
          classLoader);
    } catch (YarnException e) {
      throw new IOException(
          "the cluster knows no application " + applicationId + ": " + e.getMessage(), e);
    }
  }

  /** What a job has on the cluster. */
  private record YarnPlace(
      URI directory,
      HadoopJobDirectory job,
      String jobId,
      Optional<StoreOptions.RemoteMemory> remoteMemory)
      implements Place {

    @Override
    public JobFiles files() {
      return new JobFiles(job);
    }

    @Override
    public HistoryFeed history(DAG dag, List<JobEvent> beginning, Consumer<JobEvent> events)
        throws IOException {
      if (!beginning.isEmpty()) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try (EventLogWriter writer = new EventLogWriter(lines)) {
          for (JobEvent event : beginning) {
            writer.write(event);
          }
        }
        files().writeBeginning(lines.toByteArray());
      }
      MasterHistory.tell(dag, directory);
      return new FollowedHistory(files(), events);
    }

    /** Tasks share nothing in this JVM. */
    @Override
    public void close() {}

    @Override
    public void delete() throws IOException {
      job.delete();
      if (remoteMemory.isPresent()) {
        ClusterPool.deleteBlocks(remoteMemory.get(), jobId);
      }
    }
  }
}
