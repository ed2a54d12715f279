// SPDX-License-Identifier: Apache-2.0
package dev.anemone.portability.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage.MessageImportance;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobStateEvent;
import org.apache.beam.model.jobmanagement.v1.JobApi.MetricResults;
import org.apache.beam.model.pipeline.v1.RunnerApi.Pipeline;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.util.Timestamps;
import org.apache.beam.vendor.guava.v32_1_2_jre.com.google.common.base.Throwables;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job from its submission on. Of one that has ended there are its name, the states that it was
 * in, its messages and its metrics; the pipeline and its options are forgotten. Thread-safe.
 */
final class SubmittedJob {

  private static final Logger LOG = LoggerFactory.getLogger(SubmittedJob.class);

  /** Gets what happens to a job, in order, never two at once. */
  interface Listener {

    void state(JobStateEvent state);

    void message(JobMessage message);

    /** Nothing comes any more. */
    void end();
  }

  /** What runs pipelines. */
  interface Runner {

    /** Runs one to its end. */
    PortableResult run(Pipeline pipeline, JobInfo job) throws Exception;
  }

  /** What happened: a state or a message. */
  private sealed interface Happened {}

  private record Changed(JobStateEvent state) implements Happened {}

  private record Said(JobMessage message) implements Happened {}

  /** What a job is before it ends. */
  private record Submission(Pipeline pipeline, JobInfo job) {}

  private final String id;
  private final String name;
  private final List<Happened> history = new ArrayList<>();
  private final List<Listener> listeners = new ArrayList<>();
  private Optional<Submission> submission;
  private Optional<Thread> thread = Optional.empty();
  private JobStateEvent state;
  private MetricResults metrics = MetricResults.getDefaultInstance();

  SubmittedJob(Pipeline pipeline, JobInfo job) {
    this.id = job.jobId();
    this.name = job.jobName();
    this.submission = Optional.of(new Submission(pipeline, job));
    this.state = event(JobState.Enum.STOPPED);
    history.add(new Changed(state));
  }

  /**
   * Runs it on a thread of its own.
   *
   * @param whenEnded is run there when nothing of the job runs any more
   */
  synchronized void start(Runner runner, Runnable whenEnded) {
    enter(JobState.Enum.STARTING);
    Submission submitted = submission.orElseThrow();
    Thread runs =
        new Thread(
            () -> {
              try {
                run(submitted, runner);
              } finally {
                whenEnded.run();
              }
            },
            "anemone-job " + name);
    runs.setDaemon(true);
    runs.start();
    thread = Optional.of(runs);
    enter(JobState.Enum.RUNNING);
  }

  @SuppressWarnings("IllegalCatch") // whatever ends the job, its program is to know it
  private void run(Submission submitted, Runner runner) {
    try {
      PortableResult result = runner.run(submitted.pipeline(), submitted.job());
      end(result.state(), result.metrics());
    } catch (Throwable e) {
      fail(e);
    }
  }

  private synchronized void fail(Throwable failure) {
    if (hasEnded()) {
      LOG.debug("The job {} was cancelled.", id, failure);
      return;
    }
    LOG.error("The job {} failed.", id, failure);
    say(MessageImportance.JOB_MESSAGE_DEBUG, Throwables.getStackTraceAsString(failure));
    say(MessageImportance.JOB_MESSAGE_ERROR, Throwables.getRootCause(failure).toString());
    end(JobState.Enum.FAILED, MetricResults.getDefaultInstance());
  }

  /** Tells the program something. */
  synchronized void say(MessageImportance importance, String text) {
    JobMessage message =
        JobMessage.newBuilder()
            .setMessageId(Integer.toString(history.size()))
            .setTime(Timestamps.toString(Timestamps.fromMillis(System.currentTimeMillis())))
            .setImportance(importance)
            .setMessageText(text)
            .build();
    history.add(new Said(message));
    listeners.forEach(listener -> listener.message(message));
  }

  /** Stops it, if it runs. */
  synchronized void cancel() {
    if (!hasEnded()) {
      end(JobState.Enum.CANCELLED, MetricResults.getDefaultInstance());
      thread.ifPresent(Thread::interrupt);
    }
  }

  private synchronized void end(JobState.Enum last, MetricResults counted) {
    if (hasEnded()) {
      return;
    }
    metrics = counted;
    submission = Optional.empty();
    enter(last);
    listeners.forEach(Listener::end);
    listeners.clear();
  }

  private void enter(JobState.Enum next) {
    state = event(next);
    history.add(new Changed(state));
    listeners.forEach(listener -> listener.state(state));
  }

  private boolean hasEnded() {
    return submission.isEmpty();
  }

  private static JobStateEvent event(JobState.Enum state) {
    return JobStateEvent.newBuilder()
        .setState(state)
        .setTimestamp(Timestamps.fromMillis(System.currentTimeMillis()))
        .build();
  }

  /** Tells a listener all that has happened, and from now on what happens. */
  synchronized void listen(Listener listener) {
    for (Happened happened : history) {
      if (happened instanceof Changed changed) {
        listener.state(changed.state());
      } else if (happened instanceof Said said) {
        listener.message(said.message());
      }
    }
    if (hasEnded()) {
      listener.end();
    } else {
      listeners.add(listener);
    }
  }

  /** Tells a listener nothing more. */
  synchronized void forget(Listener listener) {
    listeners.remove(listener);
  }

  String id() {
    return id;
  }

  String name() {
    return name;
  }

  synchronized JobStateEvent state() {
    return state;
  }

  synchronized MetricResults metrics() {
    return metrics;
  }

  /** The pipeline, of a job that has not ended. */
  synchronized Optional<Pipeline> pipeline() {
    return submission.map(Submission::pipeline);
  }

  /** The options of the pipeline; none of a job that has ended. */
  synchronized Struct options() {
    return submission
        .map(submitted -> submitted.job().pipelineOptions())
        .orElse(Struct.getDefaultInstance());
  }
}
