// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import dev.anemone.runtime.event.EventLogReader;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import java.io.IOException;
import java.nio.channels.Channels;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.io.fs.EmptyMatchTreatment;
import org.apache.beam.sdk.io.fs.MatchResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the stages of a job took when a job with the same stages ran before.
 *
 * @param stages by id, from the start of the first attempt to the end of the last
 */
record LastRun(Map<String, Duration> stages) {

  /** Of a job that has not run before. */
  static final LastRun NONE = new LastRun(Map.of());

  private static final Logger LOG = LoggerFactory.getLogger(LastRun.class);

  /** Logs that are looked into, the newest first: a job that was run long ago tells little. */
  private static final int LOOKED_INTO = 4;

  LastRun {
    stages = Map.copyOf(stages);
  }

  /** What is known of a stage. */
  Optional<Duration> of(String stage) {
    return Optional.ofNullable(stages.get(stage));
  }

  /**
   * Looks for the last job with the same stages.
   *
   * @param directory of event logs, in a file system of Beam's
   * @param names of the stages, by id
   */
  static LastRun find(String directory, Map<String, String> names) {
    try {
      List<MatchResult.Metadata> logs =
          FileSystems.match(
                  directory + (directory.endsWith("/") ? "" : "/") + "*.jsonl",
                  EmptyMatchTreatment.ALLOW)
              .metadata()
              .stream()
              .sorted(Comparator.comparingLong(MatchResult.Metadata::lastModifiedMillis).reversed())
              .limit(LOOKED_INTO)
              .toList();
      for (MatchResult.Metadata log : logs) {
        Optional<LastRun> same = read(log, names);
        if (same.isPresent()) {
          return same.get();
        }
      }
    } catch (IOException | IllegalArgumentException e) {
      // The job itself goes on, and says so where it cannot write there.
      LOG.debug("Jobs that ran before are not known from {}", directory, e);
    }
    return NONE;
  }

  private static Optional<LastRun> read(MatchResult.Metadata log, Map<String, String> names)
      throws IOException {
    Map<String, Long> begin = new HashMap<>();
    Map<String, Long> end = new HashMap<>();
    try (EventLogReader reader =
        new EventLogReader(Channels.newInputStream(FileSystems.open(log.resourceId())))) {
      for (Optional<JobEvent> event = reader.next(); event.isPresent(); event = reader.next()) {
        if (isOfAnother(event.get(), names)) {
          return Optional.empty();
        }
        if (event.get() instanceof TaskFinished task) {
          begin.merge(task.stage(), task.startedAt(), Math::min);
          end.merge(task.stage(), task.time(), Math::max);
        }
      }
    }
    Map<String, Duration> stages = new HashMap<>();
    begin.forEach((stage, from) -> stages.put(stage, Duration.ofMillis(end.get(stage) - from)));
    return stages.isEmpty() ? Optional.empty() : Optional.of(new LastRun(stages));
  }

  /** Whether it says that this is not a run from which to learn. */
  private static boolean isOfAnother(JobEvent event, Map<String, String> names) {
    if (event instanceof StagesPlanned planned) {
      return !names(planned).equals(names);
    }
    return event instanceof JobFinished finished && finished.state() != JobFinished.State.SUCCEEDED;
  }

  /** The names of stages, by id. */
  static Map<String, String> names(StagesPlanned planned) {
    Map<String, String> names = new HashMap<>();
    planned.stages().forEach(stage -> names.put(stage.stage(), stage.name()));
    return names;
  }
}
