// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.runtime.engine.FailureSite;
import dev.anemone.runtime.engine.JobFailedException;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.tez.job.ArrivingReports;
import dev.anemone.runtime.tez.job.FailedTask;
import dev.anemone.runtime.tez.job.JobFiles;
import dev.anemone.runtime.tez.job.JobScope;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tez.dag.api.TezException;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.api.client.StatusGetOpts;

/** A job that a thread of its own follows to its end. */
abstract class FollowedJob implements RunningJob {

  /**
   * Between two looks at how far a job is, for which Tez looks at all of its tasks. Its end is told
   * at once.
   */
  private static final Duration POLL = Duration.ofMillis(500);

  private final String name;
  private final String id;
  private volatile String runId;
  private final CompletableFuture<JobResult> result = new CompletableFuture<>();

  private volatile Optional<ArrivingReports> reports = Optional.empty();
  private boolean cancelled;
  private Killer killer = () -> {};

  /**
   * A job.
   *
   * @param name what a person calls it
   */
  FollowedJob(String name, String id) {
    this.name = name;
    this.id = id;
    this.runId = id;
  }

  /** Runs or follows the job to its end. What this throws is the reason why the job has failed. */
  abstract JobResult runToItsEnd() throws Exception;

  /** Tells those who want to know how far the job is. */
  void progressed(DAGStatus status) {}

  /** Tells those who want to know how the job has ended; {@link #await} returns after that. */
  void ended(JobResult outcome) {}

  /** Called by the job's thread; whatever happens, {@link #await} learns of it. */
  public final void run() {
    try {
      JobResult outcome = runToItsEnd();
      ended(outcome);
      result.complete(outcome);
    } catch (Throwable t) { // a LinkageError, too, as with classes of two versions
      try {
        JobResult outcome = endedBy(t);
        ended(outcome);
        result.complete(outcome);
      } catch (Throwable notEvenThat) {
        notEvenThat.addSuppressed(t);
        result.completeExceptionally(notEvenThat);
      }
    }
  }

  private synchronized JobResult endedBy(Throwable thrown) {
    return cancelled && thrown instanceof InterruptedException
        ? result(JobState.CANCELLED, Optional.empty(), Optional.empty(), JobFiles.JobReports.NONE)
        : failed(thrown, Optional.empty(), JobFiles.JobReports.NONE);
  }

  public final String name() {
    return name;
  }

  /** The job runs again, and what it keeps goes under another id. */
  final void begin(String newRunId) {
    runId = newRunId;
  }

  /** The id under which the job runs now: {@link #id}, unless it runs again. */
  final String runId() {
    return runId;
  }

  /** Does what may have to wait for other jobs; {@link #cancel} interrupts it. */
  final <T> T interruptibly(Callable<T> waiting) throws Exception {
    Thread here = Thread.currentThread();
    synchronized (this) {
      if (cancelled) {
        throw new InterruptedException("job " + name + " is cancelled");
      }
      killer = here::interrupt;
    }
    try {
      return waiting.call();
    } catch (Exception e) {
      throw cancelledBy(e);
    } finally {
      synchronized (this) {
        killer = () -> {};
        if (cancelled) {
          // If that came too late, what runs next finds it out.
          Thread.interrupted();
        }
      }
    }
  }

  /** A file system may say in its own way that its caller was interrupted. */
  private synchronized Exception cancelledBy(Exception failure) {
    if (!cancelled || failure instanceof InterruptedException) {
      return failure;
    }
    Exception interrupted = new InterruptedException("job " + name + " is cancelled");
    interrupted.initCause(failure);
    return interrupted;
  }

  /**
   * Waits for the end of a DAG.
   *
   * @param files to which its tasks report
   * @param kill ends the DAG; called by {@link #cancel}
   */
  final DAGStatus follow(DAGClient dag, JobFiles files, Killer kill)
      throws IOException, TezException, InterruptedException {
    reports = Optional.of(new ArrivingReports(files));
    try {
      synchronized (this) {
        killer = kill;
        if (cancelled) {
          killer.kill();
        }
      }
      DAGStatus status = dag.getDAGStatus(EnumSet.noneOf(StatusGetOpts.class));
      while (!status.isCompleted()) {
        progressed(status);
        status = dag.getDAGStatus(EnumSet.noneOf(StatusGetOpts.class), POLL.toMillis());
      }
      return status;
    } finally {
      synchronized (this) {
        killer = () -> {};
      }
    }
  }

  /** What has come of a DAG that has ended. */
  final JobResult outcome(
      DAGStatus status, JobFiles files, ClassLoader classLoader, Optional<String> logCommand)
      throws IOException {
    // A master that ends before its jobs do takes their files along.
    boolean kept = status.getState() == DAGStatus.State.SUCCEEDED || files.exist();
    JobFiles.JobReports all = kept ? files.readReports() : JobFiles.JobReports.NONE;
    return switch (status.getState()) {
      case SUCCEEDED -> result(JobState.SUCCEEDED, Optional.empty(), Optional.empty(), all);
      case KILLED -> result(JobState.CANCELLED, Optional.empty(), Optional.empty(), all);
      default -> {
        // Where the master is lost, tasks fail for that, and not the other way round.
        Optional<JobFiles.AttemptFailure> failure =
            !kept || isMasterLost(status)
                ? Optional.empty()
                : files.readFailure(FailedTask.in(status.getDiagnostics()), classLoader);
        yield failed(
            failure.map(JobFiles.AttemptFailure::failure).orElseGet(() -> endedAs(status)),
            Optional.of(
                new FailureSite(
                    failure.map(JobFiles.AttemptFailure::describe),
                    logCommand.map(command -> command + ofContainer(failure)),
                    failure.map(JobFiles.AttemptFailure::stage),
                    failure.map(JobFiles.AttemptFailure::task))),
            all);
      }
    };
  }

  private static boolean isMasterLost(DAGStatus status) {
    return status.getDiagnostics().stream()
        .anyMatch(line -> line.startsWith("Application application_") && line.contains(" failed "));
  }

  private static String ofContainer(Optional<JobFiles.AttemptFailure> failure) {
    return failure
        .flatMap(JobFiles.AttemptFailure::container)
        .map(id -> " -containerId " + id)
        .orElse("");
  }

  private Throwable endedAs(DAGStatus status) {
    return new JobFailedException(
        "job "
            + name
            + " ended as "
            + status.getState()
            + ": "
            + String.join("\n", status.getDiagnostics()));
  }

  private static JobResult failed(
      Throwable failure, Optional<FailureSite> site, JobFiles.JobReports reports) {
    FailureSite known = site.orElse(new FailureSite(Optional.empty(), Optional.empty()));
    return result(JobState.FAILED, Optional.of(failure), Optional.of(known), reports);
  }

  private static JobResult result(
      JobState state,
      Optional<Throwable> failure,
      Optional<FailureSite> site,
      JobFiles.JobReports reports) {
    return new JobResult(
        state,
        failure,
        site,
        reports.reports(),
        reports.edges(),
        reports.readBytes(),
        reports.redraws());
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public Optional<Object> shared(String key) {
    return JobScope.findShared(runId, key);
  }

  @Override
  public List<TaskReport> reportsSoFar() {
    return reports.map(ArrivingReports::soFar).orElse(List.of());
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
              ? result.get(TimeUnit.NANOSECONDS.convert(timeout.get()), TimeUnit.NANOSECONDS)
              : result.get());
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "job " + name + " ended without a result: " + e.getCause(), e.getCause());
    }
  }

  @Override
  public void cancel() {
    synchronized (this) {
      cancelled = true;
      try {
        killer.kill();
      } catch (IOException | TezException e) {
        throw new IllegalStateException("job " + name + " cannot be cancelled", e);
      }
    }
  }

  /** Ends the DAG that runs now, if there is one. */
  @FunctionalInterface
  interface Killer {
    void kill() throws IOException, TezException;
  }
}
