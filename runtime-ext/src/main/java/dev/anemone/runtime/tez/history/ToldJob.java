// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.event.ExecutorLost;
import dev.anemone.runtime.event.ExecutorStarted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobEvents;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.LoggedEvents;
import dev.anemone.runtime.tez.container.ContainerEnvironment;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.api.client.Progress;
import org.apache.tez.dag.app.AppContext;
import org.apache.tez.dag.history.HistoryEvent;
import org.apache.tez.dag.history.events.DAGFinishedEvent;
import org.apache.tez.dag.history.events.TaskAttemptFinishedEvent;
import org.apache.tez.dag.records.TezTaskAttemptID;

/**
 * A job of which an application master tells: its attempts to clients, in a file of the job's
 * directory; all of it to its log, where no client does; and to the page. Not thread-safe.
 */
final class ToldJob {

  /** The job's directory. */
  private static final String DIRECTORY = "anemone.history.directory";

  /** Where the job's log is, if it has one. */
  private static final String LOG = "anemone.history.log";

  /** Set where the master writes the log: the job's id. */
  private static final String LOGGED_JOB = "anemone.history.job";

  /** The end of a job is not told before all is written that came before, but for so long. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String name;
  private final Optional<String> log;
  private final AttemptHistory attempts;
  private final CountedAttempts counted = new CountedAttempts();

  /** What a client follows. */
  private final JobEvents written;

  private final EventLogThread file;
  private final Optional<MasterStory> story;

  /** All events. */
  private final JobEvents whole;

  /** Has all events where the log is not up to the client. */
  private final Optional<EventLogThread> logFile;

  private ToldJob(
      String name,
      Optional<String> log,
      AppContext master,
      EventLogFile file,
      Optional<MasterStory> story,
      Optional<EventLogFile> logFile) {
    this.name = name;
    this.log = log;
    this.attempts = new AttemptHistory(master, Optional.empty(), this::publish);
    this.written = new JobEvents(name);
    this.file = EventLogThread.start(written, file, LoggedEvents.ofRunningJob());
    this.story = story;
    this.whole = new JobEvents(story.map(MasterStory::jobId).orElse(name));
    this.logFile = logFile.map(each -> EventLogThread.start(whole, each, LoggedEvents.ofLog()));
  }

  /** Has the attempts of a DAG told in a directory. */
  static void tell(org.apache.tez.dag.api.DAG dag, URI jobDirectory) {
    dag.setConf(DIRECTORY, jobDirectory.toString());
  }

  /** Says where the log of a DAG is. */
  static void logAt(org.apache.tez.dag.api.DAG dag, URI logDirectory) {
    dag.setConf(LOG, logDirectory.toString());
  }

  /** Has the log written by the master. */
  static void log(org.apache.tez.dag.api.DAG dag, String jobId) {
    dag.setConf(LOGGED_JOB, jobId);
  }

  /**
   * Begins to tell of a job, or goes on where an earlier master has stopped.
   *
   * @param name of the DAG
   * @param settings of the DAG
   * @param isShown whether somebody wants all that is known, beside the client or the log
   * @return empty when nobody wants to know
   */
  static Optional<ToldJob> begin(
      String name, Configuration settings, AppContext master, boolean isShown) throws IOException {
    String directory = settings.get(DIRECTORY);
    if (directory == null) {
      return Optional.empty();
    }
    JobFiles files = JobFiles.of(directory);
    Configuration configuration = ContainerEnvironment.required().configuration();
    Optional<String> log = Optional.ofNullable(settings.get(LOG));
    Optional<String> logged = Optional.ofNullable(settings.get(LOGGED_JOB));
    Optional<MasterStory> story = Optional.empty();
    Optional<EventLogFile> logFile = Optional.empty();
    List<JobEvent> before = new ArrayList<>();
    if (logged.isPresent()) {
      URI logs = URI.create(log.orElseThrow());
      story = Optional.of(MasterStory.ofLog(logs, configuration, logged.get(), files));
      logFile = Optional.of(EventLogFile.create(logs, configuration, logged.get()));
    } else if (isShown) {
      story = MasterStory.ofBeginning(files);
    }
    if (story.isPresent()) {
      before.addAll(story.get().before());
    } else {
      new FollowedHistory(files, before::add).poll();
    }
    EventLogFile file =
        EventLogFile.ofMaster(
            URI.create(directory), configuration, master.getApplicationAttemptId().getAttemptId());
    ToldJob job = new ToldJob(name, log, master, file, story, logFile);
    if (story.isPresent()) {
      before.forEach(job.whole::publish);
    }
    lostWithTheirMaster(before).forEach(job::publish);
    return Optional.of(job);
  }

  /** Containers end with the master that has asked for them. */
  private static List<ExecutorLost> lostWithTheirMaster(List<JobEvent> before) {
    long now = System.currentTimeMillis();
    Map<String, ExecutorLost> lost = new LinkedHashMap<>();
    for (JobEvent event : before) {
      if (event instanceof ExecutorStarted started) {
        lost.put(
            started.executor(),
            new ExecutorLost(now, started.executor(), "its application master was lost"));
      } else if (event instanceof ExecutorLost known) {
        lost.remove(known.executor());
      }
    }
    return List.copyOf(lost.values());
  }

  private void publish(JobEvent event) {
    written.publish(event);
    whole.publish(event);
  }

  /** All that is known of the job; empty when only its attempts are. */
  Optional<JobEvents> events() {
    return story.map(known -> whole);
  }

  /** Takes note of an event of Tez. */
  void handle(HistoryEvent event) {
    attempts.handle(event);
    if (event instanceof TaskAttemptFinishedEvent finished) {
      counted.ended(
          finished.getTaskAttemptID(),
          ProgramCounters.read(finished.getCounters(), finished.getFinishTime()));
    }
  }

  /** The attempts that run now. */
  List<TezTaskAttemptID> running() {
    return attempts.running();
  }

  /**
   * Tells what its attempts have counted, and, where that is not up to its client alone, how far
   * the job is.
   *
   * @param dag whose progress it is; nothing is told of another job's
   * @param running what attempts that run have told
   */
  void progressed(
      String dag,
      Map<String, Progress> vertices,
      Map<TezTaskAttemptID, CountedAttempts.Running> running) {
    if (dag.equals(name)) {
      long now = System.currentTimeMillis();
      CountedAttempts.SoFar soFar = counted.soFar(running, now);
      soFar.metrics().ifPresent(this::publish);
      TezProgress progress = TezProgress.of(vertices).with(soFar.stages());
      written.publish(new JobProgress(now, progress.stages(), soFar.memory()));
      story.ifPresent(
          known -> known.progress(progress, soFar.memory(), now).forEach(whole::publish));
    }
  }

  /** The client sees that the job has ended when this returns, and reads the file for the last. */
  void end(DAGFinishedEvent finished) throws IOException, InterruptedException {
    JobFinished.State state =
        switch (finished.getState()) {
          case SUCCEEDED -> JobFinished.State.SUCCEEDED;
          case KILLED -> JobFinished.State.CANCELLED;
          default -> JobFinished.State.FAILED;
        };
    YarnListing.jobEnded(
        name
            + ": "
            + state
            + log.map(directory -> "; 'anemone ui --logs=" + directory + "' shows it").orElse(""));
    if (story.isPresent()) {
      // The client of a job that has one reads and tells its reports, which may be many.
      story.get().end(finished, logFile.isPresent()).forEach(whole::publish);
    }
    written.publish(new JobFinished(finished.getFinishTime(), state, Optional.empty()));
    file.join(PATIENCE);
    if (logFile.isPresent()) {
      logFile.get().join(PATIENCE);
    }
  }
}
