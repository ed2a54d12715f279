// SPDX-License-Identifier: Apache-2.0
package dev.anemone.beam.terminal;

import dev.anemone.runtime.event.EdgesCounted;
import dev.anemone.runtime.event.JobEvent;
import dev.anemone.runtime.event.JobFinished;
import dev.anemone.runtime.event.JobProgress;
import dev.anemone.runtime.event.JobStarted;
import dev.anemone.runtime.event.StagesPlanned;
import dev.anemone.runtime.event.TaskFinished;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** How far a job is, as its events tell. Not thread-safe. */
final class JobFigures {

  private final SourceSizes sources;
  private final Map<String, StageFigures> stages = new LinkedHashMap<>();
  private String name = "";
  private Map<String, String> names = Map.of();
  private long startedAt;
  private long lastAt;
  private Optional<EdgesCounted> edges = Optional.empty();
  private Optional<JobFinished.State> end = Optional.empty();

  JobFigures(SourceSizes sources) {
    this.sources = sources;
  }

  /** Takes the next event. */
  void add(JobEvent event) {
    lastAt = event.time();
    if (event instanceof JobStarted started) {
      name = ShortNames.ofJob(started.name());
      startedAt = started.time();
    } else if (event instanceof StagesPlanned planned) {
      planned.stages().forEach(stage -> plan(stage, planned));
      names = LastRun.names(planned);
    } else if (event instanceof JobProgress progress) {
      progress.stages().forEach((id, of) -> stage(id).progressed(of, progress.time()));
    } else if (event instanceof TaskFinished task) {
      stage(task.stage()).finished(task);
    } else if (event instanceof EdgesCounted counted) {
      edges = Optional.of(counted);
    } else if (event instanceof JobFinished finished) {
      end = Optional.of(finished.state());
    }
  }

  private void plan(StagesPlanned.Stage stage, StagesPlanned planned) {
    StageFigures known = stages.get(stage.stage());
    if (known != null) {
      known.hasTasks(stage.tasks());
      return;
    }
    boolean readsStages =
        planned.links().stream().anyMatch(link -> link.to().equals(stage.stage()));
    stages.put(
        stage.stage(),
        new StageFigures(
            stage.stage(),
            ShortNames.ofStage(stage.operators()),
            stage.tasks(),
            readsStages,
            sources.ofStage(stage.vertices())));
  }

  /** A job that was attached does not tell its stages before they run. */
  private StageFigures stage(String id) {
    return stages.computeIfAbsent(
        id, unknown -> new StageFigures(unknown, unknown, 0, true, Optional.empty()));
  }

  String name() {
    return name;
  }

  /** The whole names of the stages, by id. */
  Map<String, String> stageNames() {
    return names;
  }

  Collection<StageFigures> stages() {
    return stages.values();
  }

  List<StageFigures> running() {
    return stages.values().stream().filter(StageFigures::isRunning).toList();
  }

  long done() {
    return stages.values().stream().filter(StageFigures::isDone).count();
  }

  /** Since its start; after its end, how long it took. */
  Duration elapsed(long now) {
    return Duration.ofMillis(Math.max(0, (end.isPresent() ? lastAt : now) - startedAt));
  }

  /** How it ended; empty as long as it runs. */
  Optional<JobFinished.State> end() {
    return end;
  }

  /** Records that went from stage to stage; known at the end. */
  long rows() {
    return sum(EdgesCounted.EdgeTotals::records);
  }

  /** Bytes of their keys and values; known at the end. */
  long bytes() {
    return sum(EdgesCounted.EdgeTotals::rawBytes);
  }

  /** Bytes that were written because memory was full; known at the end. */
  long spilledBytes() {
    return sum(EdgesCounted.EdgeTotals::spilledBytes);
  }

  private long sum(ToLongFunction<EdgesCounted.EdgeTotals> of) {
    return edges.map(e -> e.edges().values().stream().mapToLong(of).sum()).orElse(0L);
  }
}
