// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.tez.directory.HadoopJobDirectory;
import dev.anemone.runtime.tez.history.EndEvents;
import dev.anemone.runtime.tez.history.FollowedHistory;
import dev.anemone.runtime.tez.history.TezProgress;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.tez.client.FrameworkClient;
import org.apache.tez.dag.api.TezConfiguration;
import org.apache.tez.dag.api.client.DAGClient;
import org.apache.tez.dag.api.client.DAGClientImpl;
import org.apache.tez.dag.api.client.DAGStatus;
import org.apache.tez.dag.records.TezDAGID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A job that was detached, and is followed by another client. */
public final class AttachedJob extends FollowedJob {

  private static final Logger LOG = LoggerFactory.getLogger(AttachedJob.class);

  private final TezConfiguration configuration;
  private final ApplicationId application;
  private final HadoopJobDirectory directory;
  private final ClassLoader classLoader;
  private final JobEvents events;

  /** Used by the job's thread, as is what comes next. */
  private final FollowedHistory history;

  private StagesPlanned stages;
  private Map<String, JobProgress.Counted> running = Map.of();
  private volatile Optional<MetricValues> attempted = Optional.empty();

  /**
   * A job.
   *
   * @param name of its application, which ends with the job's id
   * @param directory what its tasks tell; deleted when it has been read
   * @param beginning what its client has told of its beginning; empty for nothing
   * @param classLoader loads what the job may have thrown
   */
  public AttachedJob(
      String name,
      TezConfiguration configuration,
      ApplicationId application,
      HadoopJobDirectory directory,
      List<JobEvent> beginning,
      ClassLoader classLoader) {
    super(name, jobId(name));
    this.configuration = configuration;
    this.application = application;
    this.directory = directory;
    this.classLoader = classLoader;
    this.events = new JobEvents(id());
    this.history = new FollowedHistory(new JobFiles(directory), this::told);
    this.stages =
        beginning.stream()
            .filter(StagesPlanned.class::isInstance)
            .map(StagesPlanned.class::cast)
            .findFirst()
            .orElse(new StagesPlanned(System.currentTimeMillis(), List.of(), List.of()));
    (beginning.isEmpty() ? List.of(unknownBeginning(name)) : beginning).forEach(events::publish);
  }

  private void told(JobEvent event) {
    if (event instanceof JobProgress progress) {
      running = TezProgress.counted(progress);
      return;
    }
    if (event instanceof MetricValues values) {
      attempted = Optional.of(values);
    }
    events.publish(event);
  }

  @Override
  public Optional<MetricValues> attemptedSoFar() {
    return attempted;
  }

  private JobEvent unknownBeginning(String applicationName) {
    return new JobStarted(
        System.currentTimeMillis(),
        JobStarted.VERSION,
        "",
        id(),
        jobName(applicationName),
        "",
        Map.of(),
        JobStarted.Environment.UNKNOWN);
  }

  /** The name of the application of a detached job. */
  public static String applicationName(String jobName, String jobId) {
    return jobName + " " + jobId;
  }

  /** The id of the job of an application with this name. */
  public static String jobId(String applicationName) {
    return applicationName.substring(applicationName.lastIndexOf(' ') + 1);
  }

  private static String jobName(String applicationName) {
    int end = applicationName.lastIndexOf(' ');
    return end < 0 ? applicationName : applicationName.substring(0, end);
  }

  @Override
  void progressed(DAGStatus status) {
    history.poll();
    if (status.getVertexProgress() != null) {
      long now = System.currentTimeMillis();
      TezProgress progress = TezProgress.of(status.getVertexProgress()).with(running);
      Optional<StagesPlanned> changed = stages.withTasks(progress.tasks(), now);
      changed.ifPresent(events::publish);
      stages = changed.orElse(stages);
      events.publish(new JobProgress(now, progress.stages(), Map.of()));
    }
  }

  @Override
  void ended(JobResult outcome) {
    EndEvents.withReports(outcome, stages, classLoader, System.currentTimeMillis())
        .forEach(events::publish);
  }

  /** All of them, but where another client has started it that told nothing of its beginning. */
  @Override
  public Optional<JobEvents> events() {
    return Optional.of(events);
  }

  @Override
  JobResult runToItsEnd() throws Exception {
    FrameworkClient client = FrameworkClient.createFrameworkClient(configuration);
    client.init(configuration);
    client.start();
    // A detached application has one DAG, and Tez counts from 1.
    String dagId = TezDAGID.getInstance(application, 1).toString();
    try (FrameworkClientCloser closedLast = client::close;
        DAGClient dag =
            new DAGClientImpl(
                application, dagId, configuration, client, UserGroupInformation.getCurrentUser())) {
      JobFiles files = new JobFiles(directory);
      DAGStatus status = follow(dag, files, dag::tryKillDAG);
      history.poll();
      JobResult result =
          outcome(status, files, classLoader, TezSession.logCommand(applicationId()));
      deleteFiles();
      return result;
    }
  }

  private void deleteFiles() {
    try {
      directory.delete();
    } catch (IOException e) {
      LOG.warn("Files of job {} were left behind", name(), e);
    }
  }

  @Override
  public Optional<String> applicationId() {
    return Optional.of(application.toString());
  }

  /** Narrows what closing throws. */
  @FunctionalInterface
  private interface FrameworkClientCloser extends AutoCloseable {
    @Override
    void close() throws IOException;
  }
}
