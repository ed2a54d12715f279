// SPDX-License-Identifier: Apache-2.0
package dev.anemone.runtime.tez.history;

import dev.anemone.runtime.engine.FailureSite;
import dev.anemone.runtime.engine.JobFailedException;
import dev.anemone.runtime.engine.JobResult;
import dev.anemone.runtime.engine.JobState;
import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.tez.job.FailedTask;
import dev.anemone.runtime.tez.job.JobFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.tez.dag.app.dag.DAGState;
import org.apache.tez.dag.history.events.DAGFinishedEvent;

/**
 * What a master knows of a job beside its attempts: how it began, which its client, or an earlier
 * master, has told; how far it is; and how it has ended. Not thread-safe.
 */
public final class MasterStory {

  private final JobFiles files;
  private final List<JobEvent> before;
  private StagesPlanned stages;

  /** What was told before this master, of which the last stages count. */
  private MasterStory(JobFiles files, List<JobEvent> before) throws IOException {
    this.files = files;
    this.before = before;
    this.stages =
        before.stream()
            .filter(StagesPlanned.class::isInstance)
            .map(StagesPlanned.class::cast)
            .reduce((first, second) -> second)
            .orElseThrow(() -> new IOException("nobody has told what stages the job has"));
  }

  /**
   * Goes on with the log of a job.
   *
   * @throws IOException when it cannot be read, or does not say what stages the job has
   */
  static MasterStory ofLog(URI directory, Configuration configuration, String jobId, JobFiles files)
      throws IOException {
    return new MasterStory(
        files, read(EventLogFile.openUnfinished(directory, configuration, jobId)));
  }

  /**
   * Goes on with what the client of a job has told at its beginning, and what masters before this
   * one have noted of attempts.
   *
   * @return empty when the client has told nothing
   * @throws IOException when it cannot be read, or does not say what stages the job has
   */
  static Optional<MasterStory> ofBeginning(JobFiles files) throws IOException {
    List<JobEvent> before = new ArrayList<>(beginning(files));
    if (before.isEmpty()) {
      return Optional.empty();
    }
    new FollowedHistory(files, before::add).poll();
    return Optional.of(new MasterStory(files, before));
  }

  /** What the client of a job has told at its beginning; empty when it has told nothing. */
  public static List<JobEvent> beginning(JobFiles files) throws IOException {
    Optional<byte[]> lines = files.readBeginning();
    return lines.isEmpty() ? List.of() : read(new ByteArrayInputStream(lines.get()));
  }

  private static List<JobEvent> read(InputStream in) throws IOException {
    List<JobEvent> events = new ArrayList<>();
    try (EventLogReader reader = new EventLogReader(in)) {
      for (Optional<JobEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
        events.add(event.get());
      }
    }
    return events;
  }

  /** The job's id, which its log and its page are called by. */
  String jobId() {
    return before.stream()
        .filter(JobStarted.class::isInstance)
        .map(event -> ((JobStarted) event).job())
        .findFirst()
        .orElse("");
  }

  /** What has been told until now. */
  List<JobEvent> before() {
    return List.copyOf(before);
  }

  /** How far the job is. */
  List<JobEvent> progress(
      TezProgress progress, Map<String, JobProgress.MemoryUse> memory, long time) {
    List<JobEvent> events = new ArrayList<>();
    Optional<StagesPlanned> changed = stages.withTasks(progress.tasks(), time);
    changed.ifPresent(events::add);
    stages = changed.orElse(stages);
    events.add(new JobProgress(time, progress.stages(), memory));
    return events;
  }

  /**
   * The last events.
   *
   * @param reported whether what tasks have reported is read for them
   */
  List<JobEvent> end(DAGFinishedEvent finished, boolean reported) throws IOException {
    JobFiles.JobReports reports = reported ? files.readReports() : JobFiles.JobReports.NONE;
    JobState state = state(finished.getState());
    Optional<Throwable> failure = Optional.empty();
    Optional<FailureSite> site = Optional.empty();
    if (state == JobState.FAILED) {
      Optional<JobFiles.AttemptFailure> attempt =
          files.readFailure(
              FailedTask.in(List.of(finished.getDiagnostics())),
              Thread.currentThread().getContextClassLoader());
      failure =
          Optional.of(
              attempt
                  .map(JobFiles.AttemptFailure::failure)
                  .orElseGet(() -> new JobFailedException(finished.getDiagnostics())));
      site =
          Optional.of(
              new FailureSite(
                  attempt.map(JobFiles.AttemptFailure::describe),
                  Optional.empty(),
                  attempt.map(JobFiles.AttemptFailure::stage),
                  attempt.map(JobFiles.AttemptFailure::task)));
    }
    JobResult result =
        new JobResult(
            state,
            failure,
            site,
            reports.reports(),
            reports.edges(),
            reports.readBytes(),
            reports.redraws());
    long time = finished.getFinishTime();
    return reported
        ? EndEvents.withReports(
            result, stages, Thread.currentThread().getContextClassLoader(), time)
        : EndEvents.of(result, stages, Optional.empty(), time);
  }

  private static JobState state(DAGState state) {
    return switch (state) {
      case SUCCEEDED -> JobState.SUCCEEDED;
      case KILLED -> JobState.CANCELLED;
      default -> JobState.FAILED;
    };
  }
}
