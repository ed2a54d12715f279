// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam;

import dev.anemone.beam.jobs.OwnJobs;
import dev.anemone.beam.metrics.AttemptedMetrics;
import dev.anemone.beam.metrics.EdgeMetrics;
import dev.anemone.beam.metrics.EdgeTable;
import dev.anemone.beam.metrics.MetricsReports;
import dev.anemone.beam.metrics.RedrawTable;
import dev.anemone.beam.metrics.ToldMetrics;
import dev.anemone.beam.terminal.ProgressView;
import dev.anemone.beam.view.JobView;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.engine.RunningJob;
import dev.anemone.runtime.engine.TaskReport;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.beam.model.pipeline.v1.MetricsApi.MonitoringInfo;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResults;

/** A pipeline that was started. Thread-safe. */
public final class NemoPipelineResult implements PipelineResult {

  private final RunningJob job;
  private final MetricsContainerStepMap metrics;
  private final Optional<PrintStream> summaryTarget;
  private final Optional<JobView> view;
  private final Optional<ProgressView> progress;
  private final Duration endPatience;
  private Optional<JobResult> result = Optional.empty();
  private boolean summaryPrinted;
  private boolean endTold;

  /**
   * @param metrics what was counted before the job started; the job's metrics are added when it
   *     ends
   * @param summaryTarget where the summary is printed, once, when somebody has waited for the end
   * @param view is told when somebody has seen the end
   * @param progress says on standard error what has come of the job, likewise
   * @param endPatience how long a job may take to end that was cancelled, or to say how it ended
   */
  NemoPipelineResult(
      RunningJob job,
      MetricsContainerStepMap metrics,
      Optional<PrintStream> summaryTarget,
      Optional<JobView> view,
      Optional<ProgressView> progress,
      Duration endPatience) {
    this.job = job;
    this.metrics = metrics;
    this.summaryTarget = summaryTarget;
    this.view = view;
    this.progress = progress;
    this.endPatience = endPatience;
  }

  @Override
  public State getState() {
    if (!job.state().isFinal()) {
      return State.RUNNING;
    }
    try {
      // What a state promises is there once the state is seen: metrics come with the result.
      return await(Optional.of(endPatience)).map(r -> toBeam(r.state())).orElse(State.RUNNING);
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
   * @throws FailedPipelineException when the pipeline failed; the cause is what user code threw
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
    printSummary();
    if (ended.get().failure().isPresent()) {
      throw new FailedPipelineException(
          ended.get().failure().get(), ended.get().failureSite().orElseThrow());
    }
    return toBeam(ended.get().state());
  }

  /**
   * Asks the job to end, and waits for that.
   *
   * @return the state then; {@link State#RUNNING} when the job has not ended within {@code
   *     --cancelSeconds}
   */
  @Override
  public State cancel() {
    job.cancel();
    try {
      return await(Optional.of(endPatience))
          .map(ended -> toBeam(ended.state()))
          .orElse(State.RUNNING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return toBeam(job.state());
    }
  }

  /**
   * The metrics of the tasks that have succeeded, and beside them what went over the edges between
   * stages, as {@link EdgeMetrics} names it. As long as the job runs, attempted values: what
   * attempts have counted so far, on a cluster by what its application master has heard of them.
   */
  @Override
  public MetricResults metrics() {
    if (getState() != State.RUNNING) {
      return MetricsReports.toResults(metrics);
    }
    return MetricsContainerStepMap.asAttemptedOnlyMetricResults(
        AttemptedMetrics.of(job).orElseGet(this::attemptedElsewhere));
  }

  /** Masters that were lost have taken along what they knew; reports are kept. */
  private MetricsContainerStepMap attemptedElsewhere() {
    MetricsContainerStepMap succeeded = merged(job.reportsSoFar());
    job.attemptedSoFar().ifPresent(told -> ToldMetrics.raise(succeeded, told));
    return succeeded;
  }

  /**
   * The metrics of an ended job as the messages that Beam's services exchange; nothing as long as
   * it runs.
   */
  public Iterable<MonitoringInfo> monitoringInfos() {
    return getState() == State.RUNNING ? List.of() : metrics.getMonitoringInfos();
  }

  /**
   * What went over the edges between the stages, and what came of samples, as tables for people;
   * empty as long as the job runs.
   */
  public String summary() {
    getState();
    return ended().map(NemoPipelineResult::summary).orElse("");
  }

  private static String summary(JobResult ended) {
    return EdgeTable.of(ended.edges(), ended.readBytes())
        + RedrawTable.of(ended.redraws(), ended.readBytes());
  }

  private synchronized Optional<JobResult> ended() {
    return result;
  }

  private synchronized void printSummary() {
    if (!summaryPrinted) {
      summaryPrinted = true;
      summaryTarget.ifPresent(target -> target.print(summary()));
    }
  }

  /**
   * Waits for the end; says whether it has come.
   *
   * @param timeout empty for as long as it takes
   */
  boolean awaitEnd(Optional<Duration> timeout) throws InterruptedException {
    return await(timeout).isPresent();
  }

  private Optional<JobResult> await(Optional<Duration> timeout) throws InterruptedException {
    Optional<JobResult> ended = job.await(timeout);
    ended.ifPresent(this::complete);
    if (ended.isPresent()) {
      tellEnd();
    }
    return ended;
  }

  /** Once. Others who wait for the end wait until it is told. */
  private synchronized void tellEnd() {
    if (endTold) {
      return;
    }
    endTold = true;
    OwnJobs.OF_THIS_JVM.ended(job);
    Optional<String> report = view.flatMap(JobView::finish);
    boolean isTold = progress.isPresent() && progress.get().finish(report, System.err);
    if (!isTold) {
      report.ifPresent(file -> System.err.println("The job's report is in " + file));
    }
  }

  private synchronized void complete(JobResult ended) {
    if (result.isEmpty()) {
      metrics.updateAll(merged(ended.reports()));
      metrics.updateAll(EdgeMetrics.of(ended.edges(), ended.readBytes()));
      result = Optional.of(ended);
    }
  }

  private static MetricsContainerStepMap merged(List<TaskReport> reports) {
    return MetricsReports.merge(reports.stream().map(TaskReport::report).toList());
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
