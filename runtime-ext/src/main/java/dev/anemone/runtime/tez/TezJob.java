package dev.anemone.runtime.tez;

import dev.anemone.runtime.engine.EngineOptions;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobFailedException;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.transfer.DataPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.StatusGetOpts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job on a local Tez session, followed by a thread of its own. */
final class TezJob implements RunningJob {

  private static final Logger LOG = LoggerFactory.getLogger(TezJob.class);
  private static final Duration POLL = Duration.ofMillis(100);

  /**
   * The part of the heap that the operators of all tasks may hold on to; the rest is for what user
   * code allocates.
   */
  private static final double OPERATOR_SHARE = 0.3;

  private final Job job;
  private final String id;
  private final List<StagePlan> plans;
  private final Optional<RunTimePlan> runTimePlan;
  private final LocalSessions sessions;
  private final DataPlane dataPlane;
  private final LocalSession.Settings settings;
  private final EngineOptions options;
  private final CompletableFuture<JobResult> result = new CompletableFuture<>();

  private boolean cancelled;
  private DagKiller killer = () -> {};

  TezJob(
      Job job,
      String id,
      List<StagePlan> plans,
      Optional<RunTimePlan> runTimePlan,
      LocalSessions sessions,
      DataPlane dataPlane,
      LocalSession.Settings settings,
      EngineOptions options) {
    this.job = job;
    this.id = id;
    this.plans = plans;
    this.runTimePlan = runTimePlan;
    this.sessions = sessions;
    this.dataPlane = dataPlane;
    this.settings = settings;
    this.options = options;
  }

  /** Runs the job to its end; whatever happens, {@link #await} learns of it. */
  void run() {
    try {
      result.complete(runToItsEnd());
    } catch (Throwable t) { // not even the failure could be told, as with classes of two versions
      result.completeExceptionally(t);
    }
  }

  private JobResult runToItsEnd() {
    JobFiles files = JobFiles.of(plans.get(0).reportDirectory());
    JobResult outcome;
    try (JobScope scope =
        JobScope.open(
            id,
            job.classLoader(),
            dataPlane,
            (long) (Runtime.getRuntime().maxMemory() * OPERATOR_SHARE / options.slots()))) {
      outcome = runOnSession(files);
    } catch (Throwable t) {
      outcome = failed(t, JobFiles.JobReports.NONE);
    }
    try {
      sessions.dataPlanes().deleteBlocks(id);
      files.delete();
    } catch (IOException e) {
      LOG.warn("Temporary files of job {} were left behind", job.name(), e);
    }
    return outcome;
  }

  private JobResult runOnSession(JobFiles files) throws Exception {
    LocalSession session = sessions.borrow(settings);
    boolean healthy = false;
    try {
      JobResult outcome = runDag(session, files);
      healthy = true;
      return outcome;
    } finally {
      if (healthy) {
        sessions.giveBack(session);
      } else {
        session.stop();
      }
    }
  }

  private JobResult runDag(LocalSession session, JobFiles files) throws Exception {
    DAG dag = new TezDagBuilder(options.maxTaskAttempts(), runTimePlan).build(dagName(), plans);
    DAGClient dagClient = session.submit(dag);
    try (ProgressLine progress = ProgressLine.start(job.name(), options.progress())) {
      synchronized (this) {
        killer = () -> session.kill(dagClient.getDagIdentifierString());
        if (cancelled) {
          killer.kill();
        }
      }
      DAGStatus status = dagClient.getDAGStatus(EnumSet.noneOf(StatusGetOpts.class));
      while (!status.isCompleted()) {
        progress.show(status.getDAGProgress(), status.getVertexProgress());
        status = dagClient.getDAGStatus(EnumSet.noneOf(StatusGetOpts.class), POLL.toMillis());
      }
      return outcome(status, files);
    } finally {
      synchronized (this) {
        killer = () -> {};
      }
      dagClient.close();
      session.deleteBlocks(dagClient.getDagIdentifierString());
    }
  }

  /** Tez wants names of DAGs to be unique in a session. */
  private String dagName() {
    return job.name() + " " + id;
  }

  private JobResult outcome(DAGStatus status, JobFiles files) throws IOException {
    JobFiles.JobReports reports = files.readReports();
    return switch (status.getState()) {
      case SUCCEEDED -> result(JobState.SUCCEEDED, Optional.empty(), reports);
      case KILLED -> result(JobState.CANCELLED, Optional.empty(), reports);
      default ->
          failed(
              files
                  .readLastFailure(job.classLoader())
                  .orElseGet(
                      () ->
                          new JobFailedException(
                              "job "
                                  + job.name()
                                  + " ended as "
                                  + status.getState()
                                  + ": "
                                  + String.join("\n", status.getDiagnostics()))),
              reports);
    };
  }

  private static JobResult failed(Throwable failure, JobFiles.JobReports reports) {
    return result(JobState.FAILED, Optional.of(failure), reports);
  }

  private static JobResult result(
      JobState state, Optional<Throwable> failure, JobFiles.JobReports reports) {
    return new JobResult(
        state, failure, reports.reports(), reports.edges(), reports.readBytes(), reports.redraws());
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public JobState state() {
    if (result.isCompletedExceptionally()) {
      return JobState.FAILED;
    }
    return result.isDone() ? result.join().state() : JobState.RUNNING;
  }

  @Override
  public Optional<JobResult> await(Optional<Duration> timeout) throws InterruptedException {
    try {
      return Optional.of(
          timeout.isPresent()
              ? result.get(timeout.get().toNanos(), TimeUnit.NANOSECONDS)
              : result.get());
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "job " + job.name() + " ended without a result: " + e.getCause(), e.getCause());
    }
  }

  @Override
  public void cancel() {
    synchronized (this) {
      cancelled = true;
      try {
        killer.kill();
      } catch (IOException e) {
        throw new UncheckedIOException("job " + job.name() + " cannot be cancelled", e);
      }
    }
  }

  /** Ends the DAG that runs now, if there is one. */
  @FunctionalInterface
  private interface DagKiller {
    void kill() throws IOException;
  }
}
