// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.backend;

import dev.anemone.runtime.engine.Deployment;
import dev.anemone.runtime.engine.Job;
import dev.anemone.runtime.engine.JobEngineOptions;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.TaskReport;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobEventListener;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.LoggedEvents;
import dev.anemone.runtime.event.MetricSums;
import dev.anemone.runtime.event.MetricValues;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.stage.StagePlan;
import dev.anemone.runtime.tez.history.EndEvents;
import dev.anemone.runtime.tez.history.EventLogFile;
import dev.anemone.runtime.tez.history.EventLogThread;
import dev.anemone.runtime.tez.history.LocalHistory;
import dev.anemone.runtime.tez.history.TezProgress;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
import org.apache.tez.dag.api.client.Progress;

/**
 * Tells those who want to know what happens to a job: listeners of this JVM, and its log. Only
 * there when there are any. Thread-safe.
 */
public final class JobRecorder {

  /** Within it a log is to be whole after its job has ended; else the job ends without it. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Between two looks at how far a job is; nobody waits for one, so it is no option. */
  private static final long PROGRESS_MILLIS = 1_000;

  private final Job job;
  private final JobEngineOptions options;
  private final JobEvents events;
  private final Optional<EventLogThread> log;
  private final boolean toldStory;
  private final Optional<URI> masterLog;
  private final ToldReports told = new ToldReports();
  private final List<JobEvent> beginning;
  private StagesPlanned stages;
  private long lastProgress;

  /** What the application master knows of running attempts. */
  private volatile Optional<MetricValues> attempted = Optional.empty();

  private volatile Map<String, JobProgress.Counted> running = Map.of();

  /** What executors have in use, as far as the application master knows. */
  private volatile Map<String, JobProgress.MemoryUse> memoryTold = Map.of();

  private JobRecorder(
      Job job,
      JobEngineOptions options,
      JobEvents events,
      StagesPlanned stages,
      Optional<EventLogThread> log,
      Optional<URI> masterLog,
      boolean toldStory) {
    this.job = job;
    this.options = options;
    this.events = events;
    this.stages = stages;
    this.log = log;
    this.masterLog = masterLog;
    this.toldStory = toldStory;
    this.beginning = List.copyOf(firstEvents(events.jobId()));
  }

  /**
   * Begins to tell of a job.
   *
   * @param files the configuration of the file system of the log
   * @return empty when nobody wants to know
   * @throws IOException when the log cannot be written
   */
  public static Optional<JobRecorder> begin(
      Job job, String id, List<StagePlan> plans, JobEngineOptions options, Configuration files)
      throws IOException {
    List<JobEventListener> listeners = new ArrayList<>(job.story().listeners());
    ServiceLoader.load(JobEventListener.class, job.classLoader()).forEach(listeners::add);
    boolean isToldElsewhere = isToldElsewhere(options.deployment());
    if (listeners.isEmpty() && options.eventLog().isEmpty() && !isToldElsewhere) {
      return Optional.empty();
    }
    JobEvents events = new JobEvents(id);
    Optional<EventLogThread> log = Optional.empty();
    Optional<EventLogFile> beginning = Optional.empty();
    if (options.eventLog().isPresent()) {
      EventLogFile file = EventLogFile.create(options.eventLog().get(), files, id);
      if (options.isDetached()) {
        beginning = Optional.of(file);
      } else {
        log = Optional.of(EventLogThread.start(events, file, LoggedEvents.ofLog()));
      }
    }
    JobRecorder recorder =
        new JobRecorder(
            job,
            options,
            events,
            StageEvents.planned(plans, System.currentTimeMillis()),
            log,
            beginning.flatMap(file -> options.eventLog()),
            options.eventLog().isPresent()
                || listeners.stream().anyMatch(JobEventListener::wantsStory));
    listeners.forEach(listener -> listener.began(events));
    recorder.beginning.forEach(events::publish);
    if (beginning.isPresent()) {
      try (EventLogFile file = beginning.get()) {
        file.write(recorder.beginning);
      }
    }
    return Optional.of(recorder);
  }

  /**
   * Whether the application master shows the job, or another client may ask for it, so that both
   * are to know how it began.
   */
  private static boolean isToldElsewhere(Deployment deployment) {
    return deployment instanceof Deployment.Yarn yarn
        && (yarn.page() || yarn.lifetime() instanceof Deployment.Lifetime.Detached);
  }

  /** The first events, for others than this client; empty when nobody else is to know. */
  List<JobEvent> toldElsewhere() {
    return isToldElsewhere(options.deployment()) ? beginning : List.of();
  }

  private List<JobEvent> firstEvents(String id) {
    List<JobEvent> first = new ArrayList<>();
    long now = System.currentTimeMillis();
    boolean inProcess = options.deployment() instanceof Deployment.InProcess;
    first.add(
        new JobStarted(
            now,
            JobStarted.VERSION,
            version(),
            id,
            job.name(),
            job.story().policy(),
            job.story().options(),
            environment(inProcess)));
    // Metrics, which are read again and again, are told to those only who want them here.
    if (toldStory || isToldElsewhere(options.deployment())) {
      first.addAll(job.story().plans());
    }
    first.add(stages);
    if (inProcess) {
      first.add(
          new ExecutorStarted(
              now,
              LocalHistory.EXECUTOR,
              NetUtils.getHostname(),
              options.slots(),
              Runtime.getRuntime().maxMemory() + options.offHeapBytes()));
    }
    return first;
  }

  private static String version() {
    String version = JobRecorder.class.getPackage().getImplementationVersion();
    return version == null ? "" : version;
  }

  private JobStarted.Environment environment(boolean inProcess) {
    Runtime runtime = Runtime.getRuntime();
    return new JobStarted.Environment(
        Runtime.version().toString(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        NetUtils.getHostname(),
        runtime.availableProcessors(),
        runtime.maxMemory(),
        options.offHeapBytes(),
        inProcess ? "local" : "yarn");
  }

  /**
   * The directory of a log that the application master goes on with, as this client does not wait
   * for its job.
   */
  Optional<URI> masterLog() {
    return masterLog;
  }

  /** All events of the job. */
  JobEvents events() {
    return events;
  }

  /** Takes what others know of the job. */
  void publish(JobEvent event) {
    if (event instanceof MetricValues values) {
      attempted = Optional.of(values);
    } else if (event instanceof JobProgress progress) {
      running = TezProgress.counted(progress);
      memoryTold = progress.memory();
    } else {
      events.publish(event);
    }
  }

  /** What attempts have counted, as far as the application master knows; of this JVM nothing. */
  Optional<MetricValues> attempted() {
    return attempted;
  }

  /**
   * How far the job is; told no more often than once a second.
   *
   * @param vertices by stage
   * @param memory what executors of this JVM have in use
   * @param reports of the tasks that have succeeded until now
   * @param shared what the job's tasks in this JVM share under a key
   */
  synchronized void progressed(
      Map<String, Progress> vertices,
      Map<String, JobProgress.MemoryUse> memory,
      Supplier<List<TaskReport>> reports,
      Function<String, Optional<Object>> shared) {
    long now = System.currentTimeMillis();
    if (vertices == null || now - lastProgress < PROGRESS_MILLIS) {
      return;
    }
    lastProgress = now;
    TezProgress progress = TezProgress.of(vertices).with(running);
    stages = publishChange(progress.tasks(), now);
    events.publish(new JobProgress(now, progress.stages(), memory.isEmpty() ? memoryTold : memory));
    if (toldStory) {
      List<TaskReport> soFar = reports.get();
      job.story()
          .metrics(soFar)
          .map(succeeded -> withAttempted(succeeded, shared))
          .ifPresent(events::publish);
      job.story().events(told.newOf(soFar)).forEach(events::publish);
    }
  }

  private MetricValues withAttempted(
      MetricValues ofSucceeded, Function<String, Optional<Object>> shared) {
    MetricSums all = new MetricSums().add(ofSucceeded);
    job.story().attempted(shared).ifPresent(all::raise);
    attempted.ifPresent(all::raise);
    return all.values(ofSucceeded.time());
  }

  private StagesPlanned publishChange(Map<String, Integer> tasks, long now) {
    Optional<StagesPlanned> changed = stages.withTasks(tasks, now);
    changed.ifPresent(events::publish);
    return changed.orElse(stages);
  }

  /** The job has ended. Waits until the log is whole. */
  synchronized void ended(JobResult result) throws InterruptedException {
    if (toldStory) {
      job.story().events(told.newOf(result.reports())).forEach(events::publish);
    }
    Optional<MetricValues> metrics =
        toldStory ? job.story().metrics(result.reports()) : Optional.empty();
    EndEvents.of(result, stages, metrics, System.currentTimeMillis()).forEach(events::publish);
    if (log.isPresent()) {
      log.get().join(PATIENCE);
    }
  }
}
