// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.sampling.RunTimePlan;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.dag.TezDagBuilder;
import dev.anemone.runtime.tez.history.HistoryFeed;
import dev.anemone.runtime.tez.history.MasterHistory;
import dev.anemone.runtime.tez.job.StagePayload;
import dev.anemone.runtime.tez.placement.Placement;
import dev.anemone.runtime.transfer.lineage.MixedVersionsException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tez.dag.api.DAG;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job on a Tez session. */
public final class TezJob extends FollowedJob {

  private static final Logger LOG = LoggerFactory.getLogger(TezJob.class);

  private final Job job;
  private final List<StagePlan> plans;
  private final Optional<RunTimePlan> runTimePlan;
  private final Backend backend;
  private final JobEngineOptions options;
  private final Optional<JobRecorder> recorder;
  private final CompletableFuture<Void> submitted = new CompletableFuture<>();
  private volatile TezSession running;

  /** Used by the job's thread. */
  private Optional<HistoryFeed> history = Optional.empty();

  public TezJob(
      Job job,
      String id,
      List<StagePlan> plans,
      Optional<RunTimePlan> runTimePlan,
      Backend backend,
      JobEngineOptions options,
      Optional<JobRecorder> recorder) {
    super(job.name(), id);
    this.job = job;
    this.plans = plans;
    this.runTimePlan = runTimePlan;
    this.backend = backend;
    this.options = options;
    this.recorder = recorder;
  }

  /**
   * Waits until the job runs without its client.
   *
   * @throws IOException when it does not, or not in time; says why
   */
  public void awaitSubmitted(Duration timeout) throws IOException, InterruptedException {
    try {
      submitted.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      cancel();
      throw new IOException(
          "job " + name() + " was not submitted within " + timeout.toSeconds() + " s", e);
    } catch (ExecutionException e) {
      throw new IOException(
          "job " + name() + " was not submitted: " + e.getCause().getMessage(), e.getCause());
    }
  }

  @Override
  JobResult runToItsEnd() throws Exception {
    backend.runningJobs().add(this);
    try {
      JobResult outcome = runOnce();
      for (int run = 2; run <= options.jobAttempts() && isToRunAgain(outcome); run++) {
        LOG.warn(
            "Job {} is run again from its beginning ({} of {} times): {}",
            name(),
            run,
            options.jobAttempts(),
            outcome.failure().orElseThrow().getMessage());
        begin(id() + "-" + run);
        outcome = runOnce();
      }
      return outcome;
    } catch (Throwable t) { // whoever waits for the job to be submitted is to know
      submitted.completeExceptionally(t);
      throw t;
    } finally {
      backend.runningJobs().remove(this);
    }
  }

  /** What a detached job has left to be told is for whoever asks for it. */
  private boolean isToRunAgain(JobResult outcome) {
    return !options.isDetached()
        && outcome.failure().filter(MixedVersionsException::isCauseOf).isPresent();
  }

  private JobResult runOnce() throws Exception {
    TezSession session = backend.borrow(runId(), job);
    boolean healthy = false;
    try {
      JobResult outcome = runIn(session);
      healthy = true;
      return outcome;
    } finally {
      if (healthy) {
        backend.giveBack(session);
      } else {
        backend.discard(session);
      }
    }
  }

  @Override
  public Optional<String> applicationId() {
    TezSession session = running;
    return session == null ? Optional.empty() : session.applicationId();
  }

  @Override
  public Optional<JobEvents> events() {
    return recorder.map(JobRecorder::events);
  }

  @Override
  public Optional<MetricValues> attemptedSoFar() {
    return recorder.flatMap(JobRecorder::attempted);
  }

  @Override
  void progressed(DAGStatus status) {
    history.ifPresent(HistoryFeed::poll);
    recorder.ifPresent(
        known ->
            known.progressed(
                status.getVertexProgress(),
                backend.memoryInUse(),
                this::reportsSoFar,
                this::shared));
  }

  @Override
  void ended(JobResult outcome) {
    if (recorder.isEmpty()) {
      return;
    }
    try {
      recorder.get().ended(outcome);
    } catch (RuntimeException e) {
      LOG.warn("Not all is told of the end of job {}", name(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private JobResult runIn(TezSession session) throws Exception {
    running = session;
    Backend.Place place = interruptibly(() -> backend.open(runId(), job, plans, session));
    try {
      return runDag(session, place);
    } finally {
      place.close();
      try {
        place.delete();
      } catch (IOException e) {
        LOG.warn("Files of job {} were left behind", job.name(), e);
      }
    }
  }

  private JobResult runDag(TezSession session, Backend.Place place) throws Exception {
    List<StagePlan> placed = new ArrayList<>();
    Map<String, StagePayload> payloads = new HashMap<>();
    for (StagePlan plan : plans) {
      StagePlan stage = plan.withJobId(runId()).withReportDirectory(place.directory().toString());
      placed.add(stage);
      payloads.put(stage.stage().name(), StagePayload.store(stage, place.files()));
    }
    if (runTimePlan.isPresent()) {
      place.files().writeRunTimePlan(runTimePlan.get());
    }
    DAG dag =
        new TezDagBuilder(options.maxTaskAttempts(), Placement.of(options.deployment()))
            .build(dagName(), placed, payloads);
    Optional<HistoryFeed> told =
        recorder.isEmpty()
            ? Optional.empty()
            : Optional.of(
                place.history(dag, recorder.get().toldElsewhere(), recorder.get()::publish));
    history = told;
    options.eventLog().ifPresent(logs -> MasterHistory.logAt(dag, logs));
    recorder.flatMap(JobRecorder::masterLog).ifPresent(logs -> MasterHistory.log(dag, logs, id()));
    try (DAGClient dagClient = session.submit(dag)) {
      submitted.complete(null);
      try {
        DAGStatus status = follow(dagClient, place.files(), () -> session.kill(dagClient));
        told.ifPresent(HistoryFeed::poll);
        return outcome(
            status,
            place.files(),
            job.classLoader(),
            TezSession.logCommand(session.applicationId()));
      } finally {
        session.ended(dagClient);
      }
    } finally {
      history = Optional.empty();
      told.ifPresent(HistoryFeed::close);
    }
  }

  /** Tez wants names of DAGs to be unique in a session. */
  private String dagName() {
    return job.name() + " " + runId();
  }
}
