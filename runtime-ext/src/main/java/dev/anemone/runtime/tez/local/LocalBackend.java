// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.local;

import dev.anemone.ir.IRDag;
import dev.anemone.ir.IRVertex;
import dev.anemone.ir.property.ClonedScheduling;
import dev.anemone.ir.property.DataStore;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.memory.MemoryLedger.JobMemory;
import dev.anemone.runtime.resource.CloseAll;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.backend.Backend;
import dev.anemone.runtime.tez.backend.RunningJobs;
import dev.anemone.runtime.tez.backend.TezSession;
import dev.anemone.runtime.tez.directory.LocalJobDirectory;
import dev.anemone.runtime.tez.history.HistoryFeed;
import dev.anemone.runtime.tez.history.LocalHistory;
import dev.anemone.runtime.tez.job.HadoopUser;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.JobScope;
import dev.anemone.runtime.tez.master.JobMaster;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.api.DAG;

/** Runs jobs in this JVM, on Tez sessions that are kept for its life. */
public final class LocalBackend implements Backend {

  private static final double DEFAULT_SLOW_TASK_THRESHOLD = 1.0;

  /**
   * The part of the heap that the operators of all tasks may hold on to; the rest is for what user
   * code allocates.
   */
  private static final double OPERATOR_SHARE = 0.3;

  private final LocalSessions sessions;
  private final JobEngineOptions options;

  /**
   * Who asks for jobs. Tez knows its own tasks by a name and tokens only; a user who has logged in
   * by Kerberos has neither in this JVM, but the login itself.
   */
  private final HadoopUser user = HadoopUser.current();

  public LocalBackend(LocalSessions sessions, JobEngineOptions options) {
    this.sessions = sessions;
    this.options = options;
  }

  @Override
  public Set<DataStore> stores() {
    return LocalDataPlanes.kinds(options.stores());
  }

  @Override
  public void check(List<StagePlan> plans) {
    try {
      sessions.dataPlanes().check(options, plans);
    } catch (IOException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public Configuration fileSystems() {
    return new Configuration();
  }

  /** All jobs of this JVM share it. */
  @Override
  public Map<String, JobProgress.MemoryUse> memoryInUse() {
    Runtime runtime = Runtime.getRuntime();
    return Map.of(
        LocalHistory.EXECUTOR,
        new JobProgress.MemoryUse(
            runtime.totalMemory() - runtime.freeMemory(), sessions.dataPlanes().usedBytes(), 0));
  }

  @Override
  public RunningJobs runningJobs() {
    return sessions.runningJobs();
  }

  @Override
  public void prepare() {
    sessions.prepare(new LocalSession.Settings(options.slots(), DEFAULT_SLOW_TASK_THRESHOLD));
  }

  @Override
  public TezSession borrow(String jobId, Job job) throws IOException, InterruptedException {
    return sessions.borrow(
        new LocalSession.Settings(options.slots(), slowTaskThreshold(job.dag())));
  }

  /** The threshold is one for a session: the most eager of the job's vertices decides. */
  public static double slowTaskThreshold(IRDag dag) {
    return dag.vertices().stream()
        .map((IRVertex vertex) -> vertex.property(ClonedScheduling.class))
        .flatMap(Optional::stream)
        .mapToDouble(ClonedScheduling::slowTaskThreshold)
        .min()
        .orElse(DEFAULT_SLOW_TASK_THRESHOLD);
  }

  @Override
  public void giveBack(TezSession session) throws IOException {
    sessions.giveBack((LocalSession) session);
  }

  @Override
  public void discard(TezSession session) throws IOException {
    session.stop();
  }

  @Override
  public Place open(String jobId, Job job, List<StagePlan> plans, TezSession session)
      throws IOException, InterruptedException {
    JobMemory memory = sessions.dataPlanes().admit(job.name(), options, plans);
    try {
      LocalJobDirectory directory = new LocalJobDirectory(sessions.root().resolve("job-" + jobId));
      directory.create();
      new JobFiles(directory).give(job.files());
      JobScope scope =
          JobScope.open(
              jobId,
              job.classLoader(),
              sessions.dataPlanes().of(memory, options, plans),
              (long) (Runtime.getRuntime().maxMemory() * OPERATOR_SHARE / options.slots()),
              (kind, name) -> LocalDataPlanes.prefix(jobId) + "/" + kind + "/" + name,
              name -> {},
              Optional.of(user));
      JobMaster.open(jobId, job.classLoader(), scope.written()::consumed);
      return new LocalPlace(jobId, directory, scope, memory);
    } catch (IOException | RuntimeException e) {
      memory.close();
      throw e;
    }
  }

  private final class LocalPlace implements Place {

    private final String jobId;
    private final LocalJobDirectory directory;
    private final JobScope scope;
    private final JobMemory memory;

    LocalPlace(String jobId, LocalJobDirectory directory, JobScope scope, JobMemory memory) {
      this.jobId = jobId;
      this.directory = directory;
      this.scope = scope;
      this.memory = memory;
    }

    @Override
    public URI directory() {
      return directory.path().toUri();
    }

    @Override
    public JobFiles files() {
      return new JobFiles(directory);
    }

    @Override
    public HistoryFeed history(DAG dag, List<JobEvent> beginning, Consumer<JobEvent> events) {
      return LocalHistory.listen(dag.getName(), events);
    }

    @Override
    public void close() throws Exception {
      JobMaster.forget(jobId);
      try (JobMemory closedLast = memory) {
        scope.close();
      }
    }

    @Override
    public void delete() throws IOException {
      CloseAll.of(
          List.<Closeable>of(() -> sessions.dataPlanes().deleteBlocks(jobId), directory::delete));
    }
  }
}
