package dev.anemone.beam;

import dev.anemone.beam.metrics.MetricsReports;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.engine.TaskReport;
import java.time.Duration;
import java.util.Optional;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.Pipeline.PipelineExecutionException;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResults;

/** A pipeline that was started. Thread-safe. */
public final class NemoPipelineResult implements PipelineResult {

  private static final Duration CANCEL_DEADLINE = Duration.ofSeconds(30);

  private final RunningJob job;
  private final MetricsContainerStepMap metrics;
  private Optional<JobResult> result = Optional.empty();

  /**
   * @param metrics what was counted before the job started; the job's metrics are added when it
   *     ends
   */
  NemoPipelineResult(RunningJob job, MetricsContainerStepMap metrics) {
    this.job = job;
    this.metrics = metrics;
  }

  @Override
  public State getState() {
    if (!job.state().isFinal()) {
      return State.RUNNING;
    }
    try {
      // What a state promises is there once the state is seen: metrics come with the result.
      return await(Optional.of(CANCEL_DEADLINE)).map(r -> toBeam(r.state())).orElse(State.RUNNING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return toBeam(job.state());
    }
  }

  @Override
  public State waitUntilFinish() {
    return waitUntilFinish(org.joda.time.Duration.ZERO);
  }

  /**
   * Waits for the pipeline's end.
   *
   * @param duration how long at most; less than 1 ms for as long as it takes
   * @return the final state, or null when the pipeline still runs after {@code duration}
   * @throws PipelineExecutionException when the pipeline failed; the cause is what user code threw
   */
  @Override
  public State waitUntilFinish(org.joda.time.Duration duration) {
    Optional<Duration> timeout =
        duration == null || duration.getMillis() < 1
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(duration.getMillis()));
    Optional<JobResult> ended;
    try {
      ended = await(timeout);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "The thread that waited for job " + job.id() + " was interrupted; the job still runs.",
          e);
    }
    if (ended.isEmpty()) {
      return null;
    }
    if (ended.get().failure().isPresent()) {
      throw new PipelineExecutionException(ended.get().failure().get());
    }
    return toBeam(ended.get().state());
  }

  /**
   * Asks the job to end, and waits for that.
   *
   * @return the state then; {@link State#RUNNING} when the job has not ended after half a minute
   */
  @Override
  public State cancel() {
    job.cancel();
    try {
      return await(Optional.of(CANCEL_DEADLINE))
          .map(ended -> toBeam(ended.state()))
          .orElse(State.RUNNING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return toBeam(job.state());
    }
  }

  /** The metrics of the tasks that have succeeded; none as long as the job runs. */
  @Override
  public MetricResults metrics() {
    getState();
    return MetricsReports.toResults(metrics);
  }

  private Optional<JobResult> await(Optional<Duration> timeout) throws InterruptedException {
    Optional<JobResult> ended = job.await(timeout);
    ended.ifPresent(this::complete);
    return ended;
  }

  private synchronized void complete(JobResult ended) {
    if (result.isEmpty()) {
      metrics.updateAll(
          MetricsReports.merge(ended.reports().stream().map(TaskReport::report).toList()));
      result = Optional.of(ended);
    }
  }

  private static State toBeam(JobState state) {
    return switch (state) {
      case RUNNING -> State.RUNNING;
      case SUCCEEDED -> State.DONE;
      case FAILED -> State.FAILED;
      case CANCELLED -> State.CANCELLED;
    };
  }
}
